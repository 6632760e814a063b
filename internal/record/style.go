package record

// head is what the page begins with. Its policy forbids scripts and whatever would be loaded.
const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>Rehearse: what was found</title>
<style>
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#fff;color:#1f2328}
main{margin:0 auto;padding:1rem 1.5rem;max-width:88rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;border-top:1px solid #d0d7de;padding-top:1rem;margin-top:2rem}
h3{font-size:1rem;margin:1.5rem 0 .3rem}
table{border-collapse:collapse;font-size:.85rem}
th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #d0d7de;vertical-align:top}
.steps td,.steps th,.beside td,.beside th{padding-left:.4rem}
.beside .left{border-right:2px solid #d0d7de}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0}
dt{font-weight:bold}dd{margin:0;overflow-wrap:anywhere}
code,pre{font:.8rem/1.45 ui-monospace,Menlo,Consolas,monospace}
pre{background:#f6f8fa;padding:.7rem;overflow-x:auto}
.state{overflow-wrap:anywhere;min-width:22rem}
del{background:#ffd7d5;color:#82071e}ins{background:#ccffd8;color:#0a4b1f;text-decoration:none}
.bad{color:#a40e26;font-weight:bold}.mark{color:#bc4c00;font-weight:bold}.mute{color:#636c76;font-weight:normal}
.markrow{background:#fff1e5}.wrongrow{background:#ffebe9}
.wide{overflow-x:auto;border:1px solid #d0d7de;margin:.5rem 0}
.wide:focus-visible,a:focus-visible,summary:focus-visible{outline:2px solid #0969da}
summary{cursor:pointer;margin:.5rem 0}a{color:#0969da}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}pre{background:#161b22}
h2,th,td,.wide,.beside .left{border-color:#3d444d}.bad{color:#ff8182}.mark{color:#f0883e}.mute{color:#9198a1}
del{background:#67060c;color:#ffdcd7}ins{background:#033a16;color:#aff5b4}
.markrow{background:#2d1d0e}.wrongrow{background:#3c1618}a{color:#58a6ff}
.wide:focus-visible,a:focus-visible,summary:focus-visible{outline-color:#58a6ff}}
</style>
</head>
<body>
<main>
`

// legend explains the picture above it.
const legend = `<p class="mute">Time runs downwards. A column is an actor, and a box on it a step: the actor handles
one message to the end. An arrow is a message, from where it is sent to where it is handled: arrows that cross overtake.
Green is a reply, purple a timer, red a message that is lost, grey and dashed what nobody handled. A grey bar is an
actor that waits in the middle of a step. <span class="mark">A</span> and <span class="mark">B</span> are the two
deliveries whose order decides.</p>
`
