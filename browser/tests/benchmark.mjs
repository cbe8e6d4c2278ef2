// Measures ceremonies in a page with the JavaScript module: `node benchmark.mjs URL TOKEN DEVICE PAGE FUNCTION COUNT`. Prints what the
// page's function returns.
import { createRequire } from "node:module";

import { Control } from "../../clients/javascript/src/index.js";

const { chromium } = createRequire(import.meta.url)(process.env.TEST_PLAYWRIGHT ?? "playwright-core");
const [url, token, device, address, measure, count] = process.argv.slice(2);
const control = new Control(url, token);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--headless=new"] });
const context = await browser.newContext();
await control.device(device).attach(context);
const page = await context.newPage();
await page.goto(address);
console.log(JSON.stringify(await page.evaluate(`(${measure})(${count})`)));
await browser.close();
await control.close();
