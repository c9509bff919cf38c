// Wall display: the board on a tablet, with a key of its own that can only read orders.

import { actionButton } from "../../../components/action-button.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { component, div, p } from "../../../components/tags.js";
import { shopWords } from "../../../words/shop.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { makeApiKey } from "../common/api-key.js";
import { problemNotice } from "../common/problem-notice.js";
import { secretField } from "../common/secret-field.js";
import { useCommand } from "../../../components/command.js";

export function Wall() {
  const [open, setOpen] = useState(false);
  return div(
    { class: "stack" },
    actionButton({ label: shopWords.value.overview.wall, icon: "monitor", onClick: () => setOpen(true) }),
    open && component(WallSheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function WallSheet({ onClose }) {
  const [link, setLink] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const make = () =>
    void run(async () => {
      /** @type {Api.NewApiKey} */
      const body = { name: text.wallKey, scopes: ["orders:read"], workshopId: workshopId.value };
      const { secret } = await makeApiKey(["wall key", body], body);
      setLink(`${location.origin}/floor#${secret}`);
    });
  return sheet(
    { title: text.wall, onClose },
    p({}, text.wallHelp),
    needsConnection(),
    problemNotice(problem),
    link
      ? secretField({ label: text.wall, secret: link, note: text.wallOnce })
      : actionButton({ label: text.wallMake, icon: "link", kind: "main", busy, onClick: make }),
    actionButton({ label: text.wallHere, icon: "monitor", href: "/floor" }),
  );
}
