// Compares two orders: their steps beside each other, and how their actors stand at the end.

import type { Actor, Step, View } from "./api.js";
import { align, counted, fieldChanges, numberText, standing } from "./diff.js";
import { button, byId, count, el, fill } from "./dom.js";
import type { Walk } from "./walk.js";

export class Comparison {
  private kept: View | null = null;

  /** Keeps the position that is shown, to be compared with later ones. */
  keep(v: View): void { this.kept = v; }

  show(w: Walk): void {
    const box = byId("compare"), kept = this.kept, v = w.view;
    if (!kept || !v) {
      fill(box, el("p", { class: "mute" }, "Keep an order first, then go to another one."));
      return;
    }
    const { pairs, exact } = align(kept.steps ?? [], v.steps ?? []);
    const same = pairs.filter(p => p.left && p.right && counted(p.left)).length;
    const summary = el("p", {},
      `The order that was kept has ${count(length(kept), "step", "steps")}, this one `,
      `${length(v).toLocaleString("en")}; ${count(same, "step is", "steps are")} in both, in the same order. `,
      button("Go to the order that was kept", () => void w.jump({ under: kept.under, position: kept.position })));
    if (kept.under !== v.under) summary.append(el("span", { class: "mark" }, " They are under different conditions."));
    if (kept.earlier + v.earlier > 0) summary.append(el("span", { class: "mark" }, " Only their last steps are compared."));
    if (!exact) summary.append(el("span", { class: "mark" }, " They are too long to be compared step by step."));
    fill(box, summary, steps(pairs), states(kept, v), verdicts(kept, v));
  }
}

function length(v: View): number { return (v.steps ?? []).at(-1)?.number ?? 0; }

function table(titles: string[], rows: HTMLElement[]): HTMLElement {
  const head = el("tr", {}, ...titles.map(t => el("th", { scope: "col" }, t)));
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}

/** The most rows that are shown of each table. */
const mostRows = 2000;

function steps(pairs: { left: Step | null; right: Step | null }[]): HTMLElement {
  const text = (s: Step | null) => s ? `${numberText(s)} ${s.name}`.trim() : "";
  const rows = pairs.slice(0, mostRows).map(p =>
    el("tr", p.left && p.right ? {} : { class: "differs" }, el("td", {}, text(p.left)), el("td", {}, text(p.right))));
  if (pairs.length > mostRows) rows.push(el("tr", {}, el("td", {}, `… and ${pairs.length - mostRows} more`)));
  return table(["kept", "this one"], rows);
}

function states(kept: View, v: View): HTMLElement {
  const left = new Map((kept.actors ?? []).map(a => [a.id, a]));
  const rows: HTMLElement[] = [];
  const row = (name: string, path: string, a: string, b: string) =>
    rows.push(el("tr", { class: "differs" }, el("th", { scope: "row" }, `${name} ${path}`.trim()),
      el("td", { class: "value" }, a), el("td", { class: "value" }, b)));
  for (const b of v.actors ?? []) {
    const a = left.get(b.id);
    left.delete(b.id);
    if (!a) {
      row(b.name, "", "(is not there)", standing(b) || "is there");
      continue;
    }
    if (standing(a) !== standing(b)) row(b.name, "", standing(a) || "ready", standing(b) || "ready");
    for (const c of fieldChanges(a.fields, b.fields)) {
      if (c.before !== c.after) row(b.name, c.path, c.before ?? "(is not there)", c.after ?? "(is not there)");
    }
  }
  for (const a of left.values()) row(a.name, "", aliveText(a), "(is not there)");
  const missing = uncompared(kept, v);
  const rest = missing ? el("p", { class: "mark" }, missing) : "";
  if (rows.length === 0) return el("div", {}, el("p", {}, "All that is seen of the actors is the same at the end."), rest);
  const shown = rows.slice(0, mostRows);
  if (rows.length > mostRows) shown.push(el("tr", {}, el("td", {}, `… and ${rows.length - mostRows} more`)));
  return el("div", {}, table(["at the end", "kept", "this one"], shown), rest);
}

/** What of the actors is not compared, "" if there is nothing. */
export function uncompared(kept: View, v: View): string {
  const parts: string[] = [];
  const hidden = Math.max(kept.hidden, v.hidden);
  if (hidden > 0) parts.push(count(hidden, "actor that is not listed", "actors that are not listed"));
  const more = (x: View) => (x.actors ?? []).reduce((n, a) => n + a.more, 0);
  const fields = Math.max(more(kept), more(v));
  if (fields > 0) parts.push(count(fields, "field that is left out", "fields that are left out"));
  const unseen = new Set([...kept.actors ?? [], ...v.actors ?? []].filter(a => a.unseen).map(a => a.id)).size;
  if (unseen > 0) parts.push(`the state of ${count(unseen, "actor", "actors")} that is not seen, or not all of it`);
  return parts.length > 0 ? `Not compared: ${parts.join("; ")}.` : "";
}

function aliveText(a: Actor): string { return standing(a) || "is there"; }

function verdicts(kept: View, v: View): HTMLElement {
  const text = (x: View) => (x.violations ?? []).map(w => `✗ ${w.kind}: ${w.text}`).join("; ") || "nothing is wrong so far";
  return el("p", {}, `Kept: ${text(kept)}. This one: ${text(v)}.`);
}
