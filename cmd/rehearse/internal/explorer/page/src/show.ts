// Shows a position: what has happened, what can happen next, how the actors stand, what is wrong.

import type { Actor, Step, View, Wrong } from "./api.js";
import { fieldChanges, numberText, standing } from "./diff.js";
import { button, byId, count, el, fill } from "./dom.js";
import type { Walk } from "./walk.js";

/** The most steps that are listed around the one where one stands. */
const mostSteps = 600;

export function showAll(w: Walk): void {
  const v = w.view;
  if (!v) return;
  showSteps(w, v);
  showVerdict(v);
  showOptions(w, v);
  showActors(v);
  showWaiting(v);
  showPicture(w, v);
  byId("printed").textContent = v.printed;
  byId("printed-box").hidden = v.printed === "";
  byId<HTMLButtonElement>("first").disabled = byId<HTMLButtonElement>("back").disabled = w.at === 0;
  byId<HTMLButtonElement>("forward").disabled = w.at >= w.choices.length && v.question === "";
  byId<HTMLButtonElement>("last").disabled = byId<HTMLButtonElement>("fork").disabled = v.question === "";
  byId("status").textContent = statusText(w, v);
}

/** What a screen reader says after each step. */
export function statusText(w: Walk, v: View): string {
  const parts = [`${count(w.at, "choice", "choices")} made`];
  const last = lastOf(v);
  if (last) parts.push(`the last step was ${last.number}, ${last.name}`);
  const wrong = v.violations ?? [];
  if (wrong.length > 0) parts.push(`${count(wrong.length, "thing is", "things are")} wrong`);
  else if (v.question) parts.push(`${count((v.enabled ?? []).length, "step is", "steps are")} possible`);
  else parts.push("the execution is over");
  if (v.time && v.time !== "0s") parts.push(`virtual time ${v.time}`);
  return parts.join("; ") + ".";
}

function lastOf(v: View): Step | undefined { return (v.steps ?? []).at(-1); }

function showSteps(w: Walk, v: View): void {
  const known = w.line?.steps ?? [];
  const done = v.steps ?? [];
  // What has happened is told by the position; what would come next on the line, by the line.
  const behind = v.earlier + done.length - (w.line?.earlier ?? 0);
  const all = [...done, ...known.slice(Math.max(0, behind))];
  const current = done.length - 1;
  const from = Math.max(0, current - mostSteps / 2), to = Math.min(all.length, from + mostSteps);
  const items: HTMLElement[] = [];
  const before = v.earlier + from;
  if (before > 0) items.push(el("li", { class: "mute" }, `… ${count(before, "step", "steps")} before`));
  for (let i = from; i < to; i++) {
    const s = all[i];
    if (!s) continue;
    const b = button(s.name, () => void w.to(s.choice));
    if (i === current) b.setAttribute("aria-current", "step");
    if (s.auto) b.title = "The system takes this step by itself.";
    if (s.content) b.append(el("span", { class: "content" }, s.content));
    for (const wrong of s.wrong ?? []) b.append(el("span", { class: "bad content" }, "✗ " + wrong));
    const classes = [i > current ? "later" : "", s.default ? "" : "chosen"].filter(c => c).join(" ");
    items.push(el("li", classes ? { class: classes } : {}, el("span", { class: "number" }, numberText(s)), b));
  }
  if (to < all.length) items.push(el("li", { class: "mute" }, `… ${count(all.length - to, "step", "steps")} after`));
  if (all.length === 0) items.push(el("li", { class: "mute" }, "Nothing yet."));
  fill(byId("step-list"), ...items);
  const box = byId("steps"), now = box.querySelector<HTMLElement>("[aria-current]");
  if (now) box.scrollTop = Math.max(0, now.offsetTop - box.offsetTop - box.clientHeight / 2);
}

function showVerdict(v: View): void {
  const box = byId("verdict");
  fill(box);
  if (v.lost) box.append(el("p", { class: "bad" }, v.lost + "."));
  if (v.left > 0) {
    box.append(el("p", { class: "mark" }, `${count(v.left, "choice", "choices")} of the position could not be made.`));
  }
  for (const s of v.stale ?? []) box.append(el("p", { class: "mark" }, "The schedule has gone stale: " + s));
  for (const wrong of v.violations ?? []) box.append(violation(wrong));
  for (const wrong of v.warnings ?? []) {
    box.append(el("p", { class: "mark" }, `warning: ${wrong.kind}: ${wrong.text}`));
  }
  if (v.ended) box.append(el("p", {}, v.ended));
  for (const d of v.invariants ?? []) {
    if (!d.asked) {
      box.append(el("p", { class: "mute" }, `– invariant ${d.name} was not asked: ${d.text}`));
      continue;
    }
    box.append(el("p", { class: d.holds ? "ok" : "bad" },
      d.holds ? `✓ invariant ${d.name} holds` : `✗ invariant ${d.name}: ${d.text}`));
  }
  fill(byId("limits"), ...(v.limits ?? []).map(l => el("li", {}, l)));
  byId("limits-box").hidden = (v.limits ?? []).length === 0;
}

function violation(w: Wrong): HTMLElement {
  const box = el("div", { class: "violation" }, el("p", { class: "bad" }, `✗ ${w.kind}: ${w.text}`));
  if (w.where) box.append(el("p", { class: "mute" }, w.where));
  if (w.stack) box.append(el("details", {}, el("summary", {}, "Stack"), el("pre", { tabindex: "0" }, w.stack)));
  return box;
}

const questions: { [question: string]: string } = {
  step: "Pick one. The first is what the default order takes.",
  choose: "chooses a value in the middle of its step. Pick one.",
  draw: "comes to a choice of Go's in the middle of its step. Pick one.",
  fault: "takes a step in which something may go wrong. Pick what does.",
};

function showOptions(w: Walk, v: View): void {
  const list = byId("options");
  fill(list);
  if (!v.question) return;
  const who = v.asker ? v.asker + " " : "";
  list.append(el("li", { class: "mute" }, who + (questions[v.question] ?? v.question)));
  (v.enabled ?? []).forEach((o, i) => {
    const b = button(o.name, () => void w.choose(o.choice), { "data-choice": o.choice || "default" });
    if (i < 9) b.title = `Key ${i + 1}`;
    if (o.choice === "") b.append(el("span", { class: "mute" }, " (default)"));
    if (w.at < w.choices.length && w.choices[w.at] === o.choice) b.append(el("span", { class: "mark" }, " (on this line)"));
    if (o.content) b.append(el("span", { class: "content" }, o.content));
    list.append(el("li", {}, b));
  });
}

function showActors(v: View): void {
  const before = new Map((v.before ?? []).map(a => [a.id, a]));
  const list = (v.actors ?? []).map(a => actor(a, before.get(a.id), v.before !== null));
  if (v.hidden > 0) list.push(el("p", { class: "mute" }, `${count(v.hidden, "actor is", "actors are")} not listed.`));
  if (list.length === 0) list.push(el("p", { class: "mute" }, "There are no actors yet."));
  fill(byId("actors"), ...list);
}

function actor(a: Actor, before: Actor | undefined, compare: boolean): HTMLElement {
  const type = a.type.slice(a.type.lastIndexOf(".") + 1);
  const title = el("h3", {}, a.name);
  if (type !== a.name) title.append(el("span", { class: "mute" }, " " + type));
  const how = standing(a), was = before ? standing(before) : "";
  if (how) title.append(el("span", { class: how !== was && compare ? "mark" : "mute" }, " – " + how));
  else if (was) title.append(el("span", { class: "mark" }, ` – no longer ${was}`));
  if (compare && !before) title.append(el("span", { class: "mark" }, " – new"));
  if (a.waiting > 0) title.append(el("span", { class: "mute" }, ` – ${count(a.waiting, "message waits", "messages wait")}`));
  const box = el("div", { class: "actor" }, title);
  const rows = fieldChanges(compare && before ? before.fields : a.fields, a.fields).map(c => {
    const changed = c.before !== c.after;
    const value = el("td", { class: "value" });
    if (changed && c.before !== null) value.append(el("del", {}, c.before), " → ");
    value.append(c.after ?? "(gone)");
    return el("tr", changed ? { class: "changed" } : {}, el("th", { scope: "row" }, c.path || "value"), value);
  });
  if (rows.length > 0) box.append(el("table", {}, el("tbody", {}, ...rows)));
  if (a.more > 0) box.append(el("p", { class: "mute" }, `… and ${a.more} more`));
  if (a.unseen) box.append(el("p", { class: "mute" }, `Not seen: ${a.unseen}.`));
  return box;
}

function showWaiting(v: View): void {
  const list = v.waiting ?? [];
  byId("waiting-title").textContent = `Messages that wait (${list.length + v.more})`;
  const items = list.map(m => {
    const item = el("li", {}, `${m.name} to ${m.to}`);
    if (m.kind !== "message") item.append(el("span", { class: "mute" }, ` (${m.kind})`));
    item.append(el("span", { class: "content" }, m.content));
    return item;
  });
  if (v.more > 0) items.push(el("li", { class: "mute" }, `… and ${v.more} more`));
  fill(byId("waiting"), ...items);
}

let shown = "";

function showPicture(w: Walk, v: View): void {
  const box = byId("picture");
  if (shown) URL.revokeObjectURL(shown);
  shown = "";
  if (!w.picture) {
    fill(box);
    return;
  }
  // As an image it cannot run anything, whatever is in it.
  shown = URL.createObjectURL(new Blob([w.picture], { type: "image/svg+xml" }));
  const steps = (v.steps ?? []).map(s => `${numberText(s)}: ${s.name}`).join(". ");
  fill(box, el("img", { src: shown, alt: `Space-time diagram. ${steps}`.slice(0, 4000) }));
}
