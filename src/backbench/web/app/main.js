import { h1, main } from "./components/tags.js";
import { render } from "./vendor/preact.js";

render(main({}, h1({}, "Backbench")), document.body);
