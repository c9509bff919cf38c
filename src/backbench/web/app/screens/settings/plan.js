// Plan: what the workshop may use, what it uses, and the ways to more.

import { problemNotice, settingsFrame } from "./kit.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { component, dd, div, dl, dt, p, section, span } from "../../components/tags.js";
import { date, size } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { offers } from "../../local/system.js";
import { connection } from "../../state/connection.js";
import { go } from "../../state/router.js";
import { startTrial } from "../../state/edits.js";
import { entitlements, isOwner, workshopId } from "../../state/workshops.js";
import { useLayoutEffect } from "../../vendor/hooks.js";

export function screen() {
  useLayoutEffect(() => {
    // An address of before, on a server that has no plans (any more).
    if (!offers("plans")) go("/shop/files", { replace: true });
  }, []);
  const text = shopWords.value.plan;
  const plan = entitlements.value;
  return settingsFrame(
    { title: text.title },
    plan
      ? section({ class: "panel" }, present(plan), storage(plan), limits(plan))
      : p({ class: "quiet-text late" }, words.value.common.loading),
    needsConnection(),
    plan && (isOwner.value ? component(Ways, { plan }) : p({ class: "quiet-text" }, text.ownersOnly)),
  );
}

/** @param {Api.WorkshopEntitlementsUsage} plan */
function present({ plan, planExpiresAt, billing }) {
  const text = shopWords.value.plan;
  const until = planExpiresAt && date(planExpiresAt, wordsLanguage.value);
  const isEnding = billing.cancelAtPeriodEnd || billing.planSource === "grant";
  const term = until &&
    (billing.planSource === "trial"
      ? text.trialUntil(until)
      : isEnding
      ? text.endsOn(until)
      : text.paidUntil(until));
  return div(
    {},
    p({ class: "quiet-text" }, text.present),
    p({ class: "plan-name" }, shopWords.value.plans[plan]),
    term && p({}, term),
    billing.planSource === "grant" && p({ class: "quiet-text" }, text.granted),
  );
}

/** @param {Api.WorkshopEntitlementsUsage} plan */
function storage({ fileStorage: { usedBytes, limitBytes } }) {
  const text = shopWords.value.plan;
  const language = wordsLanguage.value;
  const share = Math.min(100, limitBytes ? usedBytes / limitBytes * 100 : 100);
  return div(
    { class: "stack" },
    div(
      { class: "entitlements" },
      div(
        {},
        span({}, text.storage),
        span({ class: "figures" }, text.used(size(usedBytes, language), size(limitBytes, language))),
      ),
    ),
    div(
      {
        class: "bar",
        role: "meter",
        "aria-label": text.storage,
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": Math.round(share),
      },
      span({ ref: (element) => element?.style.setProperty("width", `${share}%`) }),
    ),
  );
}

/** @param {Api.WorkshopEntitlementsUsage} plan */
function limits({ revisions: { limitPerEstimate }, brandMark }) {
  const text = shopWords.value.plan;
  return dl(
    { class: "entitlements" },
    div(
      {},
      dt({}, text.revisions),
      dd({}, limitPerEstimate === null ? text.unlimited : text.upTo(limitPerEstimate)),
    ),
    div({}, dt({}, text.brandMark), dd({}, brandMark.canDisable ? text.brandMayGo : text.brandStays)),
  );
}

/** What an owner can do. @param {{ plan: Api.WorkshopEntitlementsUsage }} props */
function Ways({ plan: { plan, billing } }) {
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.plan;
  const disabled = !connection.value.online;
  /** @param {string} label @param {string} icon @param {() => void} onClick @param {"main" | "plain"} [kind] */
  const button = (label, icon, onClick, kind = "plain") =>
    actionButton({ label, icon, kind, busy, disabled, onClick });
  const open = (/** @type {"checkout" | "portal"} */ page) => () =>
    void run(async () => {
      const { url } = await call(`POST /workshops/{workshopId}/billing/${page}`, {
        workshopId: workshopId.value,
      });
      location.assign(url);
    });
  const isSold = billing.checkoutAvailability === "available" && billing.planSource !== "subscription";
  const isFree = plan === "free";
  return section(
    { class: "stack" },
    problemNotice(problem),
    isSold && button(text.buy, "credit-card", open("checkout"), "main"),
    isFree && button(text.trial, "star", () => void run(startTrial)),
    isFree && p({ class: "quiet-text" }, text.trialHelp),
    billing.hasAccount && button(text.portal, "external-link", open("portal")),
    isFree && p({ class: "quiet-text" }, notSold(billing.checkoutAvailability)),
  );
}

/** @param {Api.WorkshopEntitlementsUsage["billing"]["checkoutAvailability"]} availability */
function notSold(availability) {
  const text = shopWords.value.plan;
  if (availability === "pro_purchase_disabled") return text.notSold;
  return availability === "payments_not_configured" ? text.noPayments : "";
}
