// The page of `rehearse explore`: puts its parts together, and hears buttons and keys.
//
//   api.ts          what the server is asked for
//   position.ts     a position as text, and in the address
//   walk.ts         where one stands
//   show.ts         shows that
//   diff.ts         what differs
//   compare.ts      two orders beside each other
//   exploration.ts  how an exploration goes
//   tree.ts         the tree of its choices
//   dom.ts          what the page is made of

import * as api from "./api.js";
import { Comparison } from "./compare.js";
import { button, byId, count, el, fill } from "./dom.js";
import { Exploration } from "./exploration.js";
import { placeOf } from "./position.js";
import { showAll } from "./show.js";
import { Tree } from "./tree.js";
import { Walk } from "./walk.js";

let about: api.About | null = null;
const comparison = new Comparison();
const walk = new Walk(() => about?.digest ?? "", changed, failed, async () => showAbout(await api.about()));
const tree = new Tree(walk, failed);
const exploration = new Exploration(walk, tree, failed);

/** The banner has one line for each thing that is to be known. */
const notes = new Map<string, Node[]>();

function note(what: string, ...text: (Node | string)[]): void {
  if (text.length === 0) notes.delete(what);
  else notes.set(what, [el("p", {}, ...text)]);
  fill(byId("banner"), ...[...notes.values()].flat());
}

function failed(p: unknown): void {
  if (p instanceof api.Problem) {
    const parts: (Node | string)[] = [p.message];
    if (p.died) parts.push(" The next step starts it again.");
    if (p.output) parts.push(el("pre", { tabindex: "0" }, p.output));
    note("problem", ...parts);
    return;
  }
  note("problem", "The page has a bug: " + String(p));
  console.error(p);
}

function changed(): void {
  note("problem");
  showAll(walk);
  if (byId<HTMLDetailsElement>("compare-box").open) comparison.show(walk);
}

function showAbout(a: api.About): void {
  about = a;
  const check = a.ordinal > 0 ? `, Check ${a.ordinal + 1}` : "";
  document.title = `${a.test}: Rehearse`;
  byId("title").textContent = a.test + check;
  const faults = a.faults === "off" ? "" : `, faults ${a.faults}`;
  byId("about").textContent = `${a.package}. Model ${a.model}, timers ${a.timers}${faults}. Program ${a.digest}.` +
    (a.numbered ? " What Go chooses by itself is a choice here." : "");
  showKnown(a);
}

/** The schedules that are saved. */
function showKnown(a: api.About): void {
  const items = (a.saved ?? []).map(s => el("li", {},
    button(s.violation || "a schedule that passes", () => void walk.jump({ file: s.file })),
    el("span", { class: "content" }, `${s.file}, ${count(s.steps, "forced step", "forced steps")}`)));
  if (items.length === 0) items.push(el("li", { class: "mute" }, "No schedule of this test is saved."));
  fill(byId("known"), ...items);
}

async function save(): Promise<void> {
  try {
    const told = await walk.save();
    if (!told) return;
    note("saved", "Saved. To replay it: ", el("code", { id: "saved" }, told.command), " ",
      button("Close", () => note("saved")));
    showAbout(await api.about());
  } catch (p) {
    failed(p);
  }
}

function keep(): void { void walk.afterwards(keepShown); }

function keepShown(): void {
  if (!walk.view) return;
  comparison.keep(walk.view);
  byId<HTMLDetailsElement>("compare-box").open = true;
  comparison.show(walk);
  byId("status").textContent = "This order is kept. Go to another one to compare.";
}

/** Whether the sources have changed is asked when somebody comes back to the page. */
async function lookAtSources(): Promise<void> {
  try {
    const { changed } = await api.changed();
    if (changed) {
      note("changed", "The sources have changed since this program was built. ", button("Build it again", () => void build()));
    } else {
      note("changed");
    }
  } catch { /* the command may be gone: the next step says so */ }
}

async function build(): Promise<void> {
  note("changed", "Building …");
  try {
    showAbout(await api.rebuild());
    note("changed");
    await walk.again();
    await exploration.look();
  } catch (p) {
    note("changed");
    failed(p);
  }
}

function buttons(): void {
  const on = (id: string, f: () => void) => byId(id).addEventListener("click", f);
  on("first", () => void walk.to(0));
  on("back", () => void walk.back());
  on("forward", () => void walk.forward());
  on("fork", () => void walk.fork());
  on("last", () => void walk.onward());
  on("keep", keep);
  on("save", () => void save());
  byId("picture-box").addEventListener("toggle", () => {
    walk.wantsPicture = byId<HTMLDetailsElement>("picture-box").open;
    if (walk.wantsPicture) void walk.again();
  });
  byId("compare-box").addEventListener("toggle", () => comparison.show(walk));
  byId("explore-box").addEventListener("toggle", () => void exploration.look());
}

function keys(e: KeyboardEvent): void {
  const target = e.target as HTMLElement;
  if (e.ctrlKey || e.metaKey || e.altKey || target.closest("input,textarea,select,[role=tree],.wide,pre")) return;
  const does: { [key: string]: () => void } = {
    ArrowRight: () => void walk.forward(), ArrowLeft: () => void walk.back(),
    Home: () => void walk.to(0), End: () => void walk.onward(), n: () => void walk.fork(), k: keep, s: () => void save(),
  };
  const f = does[e.key];
  if (f) f();
  else if (/^[1-9]$/.test(e.key)) {
    const o = walk.view?.enabled?.[Number(e.key) - 1];
    if (!o) return;
    void walk.choose(o.choice);
  } else {
    return;
  }
  e.preventDefault();
}

function tellProgram(): void {
  const p = placeOf(location.hash);
  if (p && about && p.digest !== about.digest) {
    note("digest", `This position was made with another program (${p.digest}; this one is ${about.digest}). ` +
      "The same choices may lead elsewhere. ", button("Close", () => note("digest")));
  } else {
    note("digest");
  }
}

async function start(): Promise<void> {
  buttons();
  document.addEventListener("keydown", keys);
  window.addEventListener("popstate", () => { tellProgram(); void walk.fromAddress(); });
  window.addEventListener("focus", () => void lookAtSources());
  try {
    showAbout(await api.about());
    tellProgram();
    await walk.fromAddress();
    await exploration.look();
  } catch (p) {
    failed(p);
  }
}

void start();
