// `node --import touchstone-bench/react-native/register` makes Node's own test runner load the modules in place of the packages.
import { register } from "node:module";

import { packages } from "./mapping.js";

const hooks = `
    let packages;
    export const initialize = (given) => { packages = given; };
    export const resolve = (specifier, context, next) => {
        if (!Object.hasOwn(packages, specifier)) return next(specifier, context);
        return next(packages[specifier], { ...context, parentURL: ${JSON.stringify(import.meta.url)} });
    };`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: packages });
