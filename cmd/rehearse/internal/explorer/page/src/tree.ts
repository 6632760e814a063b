// The tree of the choices of an exploration. Only what is unfolded is asked for, so that its size does not matter.

import * as api from "./api.js";
import { byId, button, count, el, fill } from "./dom.js";
import type { Walk } from "./walk.js";

/** The most nodes that stay unfolded when the tree grows. */
const mostOpen = 40;

export class Tree {
  private open = new Set<number>();
  private running = false;
  private waiting = false;

  constructor(readonly walk: Walk, readonly failed: (p: unknown) => void) {
    byId("tree").addEventListener("keydown", e => this.key(e));
  }

  clear(): void {
    this.open.clear();
    fill(byId("tree"));
  }

  /** Shows the tree as it is now. What was unfolded stays so. */
  async refresh(p: api.Progress): Promise<void> {
    byId("tree-note").textContent = count(p.nodes, "node", "nodes") +
      (p.left > 0 ? `; the tree is full: ${count(p.left, "execution is", "executions are")} not in it` : "") +
      ". A row without a number of choices behind it is the end of an execution.";
    if (this.running) {
      this.waiting = true;
      return;
    }
    this.running = true;
    try {
      do {
        this.waiting = false;
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["node"] : undefined;
        const items = await this.items(0, 1);
        fill(byId("tree"), ...items);
        byId("tree").querySelector<HTMLElement>("[role=treeitem]")?.setAttribute("tabindex", "0");
        if (focused) byId("tree").querySelector<HTMLElement>(`[data-node="${CSS.escape(focused)}"]`)?.focus();
      } while (this.waiting);
    } catch (p) {
      this.failed(p);
    } finally {
      this.running = false;
    }
  }

  /** The children of a node, those that are unfolded with their own. */
  private async items(node: number, level: number, from = 0): Promise<HTMLElement[]> {
    const { rows, children } = await api.tree(node, from);
    const items: HTMLElement[] = [];
    for (const r of rows) items.push(await this.item(r, level));
    const left = children - from - rows.length;
    if (left > 0) {
      const more = el("li", { role: "none" });
      more.append(button(`${count(left, "more", "more")}`, () => {
        this.items(node, level, from + rows.length).then(next => more.replaceWith(...next), this.failed);
      }));
      items.push(more);
    }
    return items;
  }

  private async item(r: api.Row, level: number): Promise<HTMLElement> {
    const names = r.length > r.names.length
      ? [...r.names.slice(0, -1), `… ${r.length - r.names.length} more …`, r.names.at(-1) ?? ""] : r.names;
    const row = el("div", { class: "row" }, el("span", r.wrong ? { class: "bad" } : {}, (r.wrong ? "✗ " : "") + names.join(" › ")));
    row.append(el("span", { class: "mute" }, ` ${count(r.executions, "execution", "executions")}` +
      (r.children > 0 ? `, ${count(r.children, "choice", "choices")} behind it` : "")));
    const item = el("li", { role: "treeitem", tabindex: "-1", "data-node": String(r.node), "aria-level": String(level) }, row);
    row.addEventListener("click", () => {
      item.focus();
      if (r.children > 0) void this.toggle(item);
      else this.go(item);
    });
    row.addEventListener("dblclick", () => this.go(item));
    if (r.children > 0) {
      item.setAttribute("aria-expanded", "false");
      if (this.open.has(r.node) && this.open.size <= mostOpen) await this.unfold(item);
    }
    return item;
  }

  private async unfold(item: HTMLElement): Promise<void> {
    const node = Number(item.dataset["node"]), level = Number(item.getAttribute("aria-level"));
    this.open.add(node);
    item.setAttribute("aria-expanded", "true");
    item.append(el("ul", { role: "group" }, ...await this.items(node, level + 1)));
  }

  private fold(item: HTMLElement): void {
    this.open.delete(Number(item.dataset["node"]));
    item.setAttribute("aria-expanded", "false");
    item.querySelector("[role=group]")?.remove();
  }

  private async toggle(item: HTMLElement): Promise<void> {
    try {
      if (item.getAttribute("aria-expanded") === "true") this.fold(item);
      else await this.unfold(item);
    } catch (p) {
      this.failed(p);
    }
  }

  private go(item: HTMLElement): void { void this.walk.jump({ node: Number(item.dataset["node"]) }); }

  private key(e: KeyboardEvent): void {
    const item = (e.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!item || e.target !== item) return;
    const items = [...byId("tree").querySelectorAll<HTMLElement>("[role=treeitem]")];
    const i = items.indexOf(item), expanded = item.getAttribute("aria-expanded");
    let to: HTMLElement | null | undefined;
    switch (e.key) {
      case "ArrowDown": to = items[i + 1]; break;
      case "ArrowUp": to = items[i - 1]; break;
      case "Home": to = items[0]; break;
      case "End": to = items.at(-1); break;
      case "ArrowRight":
        if (expanded === "false") void this.toggle(item);
        else if (expanded === "true") to = item.querySelector<HTMLElement>("[role=treeitem]");
        break;
      case "ArrowLeft":
        if (expanded === "true") void this.toggle(item);
        else to = item.parentElement?.closest<HTMLElement>("[role=treeitem]");
        break;
      case "Enter": this.go(item); break;
      default: return;
    }
    e.preventDefault();
    e.stopPropagation();
    if (to) {
      item.setAttribute("tabindex", "-1");
      to.setAttribute("tabindex", "0");
      to.focus();
    }
  }
}
