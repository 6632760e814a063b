// What the server is asked for, and what it answers: api.go and internal/byhand/view.go have the same.

export interface Field { path: string; value: string }

export interface Actor {
  id: string; name: string; type: string; fields: Field[] | null; more: number; unseen: string;
  stopped: boolean; crashed: boolean; blocked: boolean; awaits: string; waiting: number;
}

export interface Step {
  number: number; choice: number; default: boolean; auto: boolean; kind: string; name: string; id: string;
  actor: string; content: string; wrong: string[] | null;
}

export interface Option { choice: string; kind: string; name: string; actor: string; from: string; content: string }

export interface Message { name: string; to: string; content: string; kind: string }

export interface Verdict { name: string; asked: boolean; holds: boolean; text: string }

export interface Wrong { kind: string; text: string; where: string; key: string; stack: string; step: number }

export interface View {
  under: string; position: string; choices: string[] | null; left: number; lost: string; stale: string[] | null;
  steps: Step[] | null; earlier: number; question: string; asker: string; enabled: Option[] | null;
  actors: Actor[] | null; before: Actor[] | null; hidden: number; waiting: Message[] | null; more: number;
  over: boolean; ended: string; invariants: Verdict[] | null; violations: Wrong[] | null; warnings: Wrong[] | null;
  limits: string[] | null; printed: string; time: string;
}

export interface Saved { file: string; violation: string; steps: number }

export interface About {
  package: string; test: string; ordinal: number; model: string; timers: string; faults: string; strategy: string;
  budget: string; seed: number; numbered: boolean; saved: Saved[] | null; digest: string; dir: string;
}

export interface Ask {
  under?: string; position?: string; file?: string; found?: string; node?: number; onward?: boolean; fork?: boolean;
  picture?: boolean; save?: boolean;
}

export interface Told { view: View; digest: string; picture: string; file: string; command: string }

export interface Found {
  key: string; kind: string; text: string; execution: number; node: number; culprit?: string; minimal?: boolean;
  note?: string;
}

export interface Progress {
  run: number; running: boolean;
  counters: { Executions: number; Blocked: number; Classes: number; States: number; Deliveries: number };
  estimate: { Total: number; Low: number; High: number };
  seconds: number; phase: string; strategy: string; budget: string; nodes: number; left: number;
  found: Found[] | null; done: { reason: string; complete: boolean; text: string } | null;
  error: string; output: string;
}

export interface Row {
  node: number; names: string[]; length: number; kind: string; children: number; executions: number; wrong: boolean;
}

export interface Rows { rows: Row[]; children: number }

/** A request that was not answered. */
export class Problem extends Error {
  constructor(message: string, readonly died: boolean, readonly output: string) { super(message); }
}

async function call<T>(what: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "X-Rehearse": "1" };
  const init: RequestInit = { headers };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.method = "POST";
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch("api/" + what, init);
  } catch {
    throw new Problem("The command does not answer: is `rehearse explore` still running?", false, "");
  }
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(text || `The server answered ${response.status}.`, false, "");
  }
  if (!response.ok) {
    const p = value as { error: string; died: boolean; output: string };
    throw new Problem(p.error, p.died, p.output);
  }
  return value as T;
}

export const about = () => call<About>("about");
export const changed = () => call<{ changed: boolean }>("changed");
export const position = (ask: Ask) => call<Told>("position", ask);
export const rebuild = () => call<About>("rebuild", {});
export const explore = (stop: boolean) => call<Progress>("explore", { stop });
export const progress = () => call<Progress>("progress");
export const tree = (node: number, from: number) => call<Rows>(`tree?node=${node}&from=${from}`);
