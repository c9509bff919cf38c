// PDF sheet: the pages of a stored PDF as pictures, and the PDF itself.

import { request } from "../../api/client.js";
import { address } from "../../api/early.js";
import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { pages } from "../../components/pages.js";
import { sheet } from "../../components/sheet.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { revisionWords } from "../../words/estimates.js";
import { openFile } from "../../local/system.js";
import { useEffect, useState } from "../../vendor/hooks.js";

const WIDTH = 1080;

/** @typedef {import("../../api/problems.js").Problem} Problem */

/** @param {{ id: string, number: number, pdfExportId: string, onClose: () => void }} props */
export function PdfSheet({ id, number, pdfExportId, onClose }) {
  const { count, problem } = useCount(id, pdfExportId);
  const text = revisionWords.value;
  const path = `/estimates/${id}/pdf-exports/${pdfExportId}`;
  const images = Array.from({ length: count }, (_, at) => ({
    src: address(`${path}/pages/${at + 1}`, { width: WIDTH }),
    alt: text.page(at + 1, count),
  }));
  const openPdf = () => openFile(address(path));
  return sheet(
    {
      title: text.revision(number),
      onClose,
      foot: actionButton({ label: text.openPdf, kind: "main", icon: "file-text", onClick: openPdf }),
    },
    problem && notice({
      kind: "alarm",
      text: explained({ status: problem.status, code: problem.code, data: problem.data }, words.value.common),
    }),
    pages({ images }),
  );
}

/** How many pages it has. @param {string} id @param {string} pdfExportId */
function useCount(id, pdfExportId) {
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  useEffect(() => {
    request("GET /estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}", {
      estimateId: id,
      pdfExportId,
      pageNumber: 1,
      width: WIDTH,
    }, { as: "blob" }).then(
      ({ headers }) => setCount(Number(headers.get("Page-Count") ?? 1)),
      (error) => {
        if (!isProblem(error)) throw error;
        setProblem(error);
      },
    );
  }, []);
  return { count, problem };
}
