// Shows how an exploration goes: counts, an estimate, what was found. tree.ts has its choices.

import * as api from "./api.js";
import { button, byId, count, el, fill } from "./dom.js";
import type { Tree } from "./tree.js";
import type { Walk } from "./walk.js";

/** Milliseconds between two looks at an exploration that runs. */
const every = 400;

export class Exploration {
  private last: api.Progress | null = null;
  private polling = false;

  constructor(readonly walk: Walk, readonly tree: Tree, readonly failed: (p: unknown) => void) {
    byId("explore").addEventListener("click", () => void this.toggle());
  }

  private async toggle(): Promise<void> {
    try {
      this.take(await api.explore(this.last?.running === true));
    } catch (p) {
      this.failed(p);
    }
  }

  /** Looks how it goes, and again while it runs. */
  async look(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    try {
      do {
        this.take(await api.progress());
        if (this.last?.running) await new Promise(f => setTimeout(f, every));
      } while (this.last?.running);
    } catch (p) {
      this.failed(p);
    } finally {
      this.polling = false;
    }
  }

  private take(p: api.Progress): void {
    const news = !this.last || this.last.run !== p.run || this.last.nodes !== p.nodes || this.last.running !== p.running;
    if (this.last?.run !== p.run) this.tree.clear();
    this.last = p;
    this.show(p);
    if (news && p.run > 0) void this.tree.refresh(p);
    if (p.running) void this.look();
  }

  private show(p: api.Progress): void {
    byId("explore").textContent = p.running ? "Stop the exploration" : "Start an exploration";
    byId("progress").textContent = progressText(p);
    const items = (p.found ?? []).map(f => {
      const item = el("li", {}, button(f.text, () => void this.walk.jump({ found: f.key }), { class: "bad" }));
      item.append(el("span", { class: "mute" }, ` found by execution ${f.execution.toLocaleString("en")}` +
        (f.minimal ? ", made small" : "")));
      if (f.note) item.append(el("span", { class: "mute" }, ` ${f.note}`));
      if (f.culprit) item.append(el("span", { class: "content" }, f.culprit));
      return item;
    });
    if (items.length === 0 && p.run > 0) items.push(el("li", { class: "mute" }, "Nothing was found so far."));
    fill(byId("found"), ...items);
    if (p.output) byId("found").append(el("li", {}, el("pre", { tabindex: "0" }, p.output)));
  }
}

/** The progress in a line. */
export function progressText(p: api.Progress): string {
  if (p.run === 0) return "An exploration runs in a process of its own: one can step on meanwhile.";
  const n = p.counters.Executions + p.counters.Blocked;
  const parts = [count(p.counters.Executions, "execution", "executions")];
  if (p.counters.Blocked > 0) parts.push(`${p.counters.Blocked.toLocaleString("en")} cut`);
  if (p.counters.Classes > 0) parts.push(count(p.counters.Classes, "class", "classes"));
  parts.push(count(p.counters.Deliveries, "delivery", "deliveries"));
  if (p.seconds > 0) parts.push(`${p.seconds.toFixed(1)} s`, `${Math.round(n / p.seconds).toLocaleString("en")} a second`);
  const e = p.estimate;
  if (e.Total > 0 && e.Total < 1e15) {
    const number = (x: number) => Math.round(x).toLocaleString("en");
    parts.push(e.Low === e.High ? `${number(e.Total)} in all` :
      `about ${number(e.Total)} in all (${number(e.Low)} to ${number(e.High)})`);
  } else if (p.running) {
    parts.push("how many there are is not known");
  }
  let text = `Strategy ${p.strategy}${p.phase && p.phase !== p.strategy ? ` (${p.phase})` : ""}, budget ${p.budget}: ` +
    parts.join(", ") + ".";
  if (p.done) text += ` It is over, ${p.done.text}.`;
  else if (p.error) text += ` It ended: ${p.error}.`;
  return text;
}
