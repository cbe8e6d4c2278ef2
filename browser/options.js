// Converts the arguments of pages' requests as Web IDL §3.2 says, with the dictionaries of Credential Management and WebAuthn L3.
//
// The carrier puts this file in front of page.js. Members are read once, in the browser's order: those of the inherited dictionary
// first, then by name. The result is JSON whose bytes are base64url. A TypeError names the member in the browser's words.
const options = (() => {
    "use strict";

    const { apply, ownKeys, getOwnPropertyDescriptor, setPrototypeOf } = Reflect;
    const { assign, create, getPrototypeOf } = Object;
    const { iterator: iterated, toPrimitive } = Symbol;
    const { toWellFormed = function () { return this; } } = String.prototype;

    const isFirefox = "mozInnerScreenX" in self;

    // A value that Web IDL cannot convert, in Chromium's words and in Firefox's for a member or an element of a list. Errors of the
    // page's own code pass unchanged.
    class Problem {
        constructor(text, firefox) { Object.assign(this, { text, firefox }); }

        // The message for a method of an interface. Firefox names the innermost member, and none for numbers and texts.
        message(method, owner) {
            if (!isFirefox) return `Failed to execute '${method}' on '${owner}': ${this.text}`;
            if (typeof this.firefox === "string") return this.firefox;
            return `${owner}.${method}: ${this.firefox(this.place ?? "Value")}`;
        }
    }
    const refuse = (text, firefox = () => text) => { throw new Problem(text, firefox); };
    const notConverted = (type) => (place) => `${place} can't be converted to a ${type}.`;
    const notDictionary = notConverted("dictionary");
    const isObject = (value) => typeof value === "function" || (typeof value === "object" && value !== null);

    // -- Types: each converts a value, or refuses it.

    const named = { symbol: ["a Symbol value", "symbol"], bigint: ["a BigInt value", "BigInt"] };
    const inexact = (type, target) => refuse(
        `Cannot convert ${named[type][0]} to a ${target}`, `can't convert ${named[type][1]} to ${target}`);

    // A value without objects (ECMAScript, ToPrimitive).
    function primitive(value, hint) {
        if (!isObject(value)) return value;
        const exotic = value[toPrimitive];
        const methods = exotic ? [() => apply(exotic, value, [hint])]
            : (hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]).map((name) => () => {
                const method = value[name];
                return typeof method === "function" ? apply(method, value, []) : value;
            });
        for (const method of methods) {
            const result = method();
            if (!isObject(result)) return result;
        }
        return refuse("Cannot convert object to primitive value");
    }

    function number(value) {
        const simple = primitive(value, "number");
        return named[typeof simple] ? inexact(typeof simple, "number") : +simple;
    }

    const long = (value) => number(value) | 0;
    const unsignedLong = (value) => number(value) >>> 0;
    const boolean = (value) => !!value;
    const any = (value) => value;

    // JSON has no lone surrogates.
    function string(value) {
        const simple = primitive(value, "string");
        return typeof simple === "symbol" ? inexact("symbol", "string") : apply(toWellFormed, `${simple}`, []);
    }

    // WebAuthn's enumerations are strings; clients ignore unknown values (WebAuthn L3 §2.1.1).
    const oneOf = (...known) => (value) => {
        const text = string(value);
        return known.includes(text) ? text : undefined;
    };

    const getter = (prototype, name) => getOwnPropertyDescriptor(prototype, name)?.get;
    const { isView } = ArrayBuffer;
    const slots = {
        length: getter(ArrayBuffer.prototype, "byteLength"), resizable: getter(ArrayBuffer.prototype, "resizable"),
        signal: getter(AbortSignal.prototype, "aborted"),
    };
    const views = [getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((prototype) =>
        ["buffer", "byteOffset", "byteLength"].map((name) => getter(prototype, name)));

    // An object has the internal slot that the getter reads, in any realm.
    function has(slot, value) {
        try {
            return apply(slot, value, []) !== undefined;
        } catch {
            return false;
        }
    }

    // BufferSource, as base64url.
    function bytes(value) {
        const isAView = isView(value);
        if (!isAView && !has(slots.length, value)) {
            refuse("The provided value is not of type '(ArrayBuffer or ArrayBufferView)'.",
                (place) => `${place} could not be converted to any of: ArrayBufferView, ArrayBuffer.`);
        }
        const [buffer, offset, length] = isAView ? views[has(views[0][0], value) ? 0 : 1] : [];
        const memory = isAView ? apply(buffer, value, []) : value;
        const type = isAView ? "ArrayBufferView" : "ArrayBuffer";
        const unfit = (kind) => () => `${type} branch of (ArrayBufferView or ArrayBuffer) can't be ${kind}`;
        if (!has(slots.length, memory)) {
            refuse(`The provided ${type} value must not be shared.`,
                unfit("a SharedArrayBuffer or an ArrayBufferView backed by a SharedArrayBuffer"));
        }
        if (slots.resizable && apply(slots.resizable, memory, [])) {
            refuse(`The provided ${type} value must not be resizable.`, unfit("a resizable ArrayBuffer or ArrayBufferView"));
        }
        // A buffer that the page has transferred has no bytes.
        if (apply(slots.length, memory, []) === 0) return "";
        const part = isAView ? [apply(offset, value, []), apply(length, value, [])] : [];
        let binary = "";
        for (const byte of new Uint8Array(memory, ...part)) binary += String.fromCharCode(byte);
        return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    }

    // Plain lists and dictionaries, in which JSON.stringify finds no method of the page.
    const bare = (object) => (setPrototypeOf(object, null), object);

    // Runs a conversion of a part; `note` adds the part to a problem.
    function within(convert, note) {
        try {
            return convert();
        } catch (error) {
            if (error instanceof Problem) note(error);
            throw error;
        }
    }

    const sequence = (type) => (value) => {
        if (!isObject(value)) refuse("The provided value cannot be converted to a sequence.", notConverted("sequence"));
        const method = value[iterated];
        if (method === undefined || method === null) {
            refuse("The object must have a callable @@iterator property.", notConverted("sequence"));
        }
        if (typeof method !== "function") refuse("@@iterator must be a callable.");
        const iterator = apply(method, value, []);
        if (!isObject(iterator)) refuse("Iterator object must be an object.");
        const { next } = iterator;
        if (typeof next !== "function") refuse("Expected next() function on iterator.");
        const items = [];
        while (true) {
            const step = apply(next, iterator, []);
            if (!isObject(step)) refuse("Expected iterator.next() to return an Object.");
            if (step.done) return bare(items);
            items[items.length] = within(() => type(step.value), (problem) => { problem.isElement = true; });
        }
    };

    const record = (type) => (value) => {
        if (!isObject(value)) refuse("Only objects can be converted to record<K,V> types", (place) => `${place} is not an object.`);
        const result = create(null);
        for (const key of ownKeys(value)) {
            if (getOwnPropertyDescriptor(value, key)?.enumerable) result[string(key)] = type(value[key]);
        }
        return result;
    };

    function abortSignal(value) {
        return has(slots.signal, value) ? value
            : refuse("Failed to convert value to 'AbortSignal'.", (place) => `${place} does not implement interface AbortSignal.`);
    }

    // -- Dictionaries: the members in the browser's order, with their types.

    const required = (type) => ({ type, isRequired: true });
    // A member that Chromium does not know: a value that does not fit is left out.
    const beyond = (type) => (value) => {
        try {
            return type(value);
        } catch (error) {
            if (error instanceof Problem) return undefined;
            throw error;
        }
    };

    const inherited = Symbol("inherited");

    function dictionary(name, members) {
        const parent = members[inherited];
        const rows = Object.entries(members).map(([key, member]) => ({ key, owner: name, ...(member.type ? member : { type: member }) }));
        const all = [...(parent?.rows ?? []), ...rows];
        const isNullable = !all.some((row) => row.isRequired);
        function convert(value) {
            const isNone = value === undefined || value === null;
            // Firefox takes null for an empty dictionary, and misses a member of it.
            const isUnfit = isNone ? !isNullable && !isFirefox : !isObject(value) && typeof value !== "undefined";
            if (isUnfit) refuse(`The provided value is not of type '${name}'.`, notDictionary);
            const result = create(null);
            for (const { key, owner, type, isRequired } of all) {
                const converted = within(() => {
                    const given = isNone ? undefined : value[key];
                    if (given === undefined && isRequired) {
                        refuse("Required member is undefined.", (place) => `Missing required ${place}.`);
                    }
                    return given === undefined ? undefined : type(given);
                }, (problem) => {
                    problem.text = `Failed to read the '${key}' property from '${owner}': ${problem.text}`;
                    // Firefox does not name a required dictionary.
                    const isUnnamed = isRequired && !problem.isElement && problem.firefox === notDictionary;
                    problem.place ??= isUnnamed ? "Value" : `${problem.isElement ? "Element of " : ""}'${key}' member of ${owner}`;
                });
                if (converted !== undefined) result[key] = converted;
            }
            return result;
        }
        return assign(convert, { rows: all, named: name });
    }

    const entity = dictionary("PublicKeyCredentialEntity", { name: required(string) });
    const descriptors = sequence(dictionary("PublicKeyCredentialDescriptor", {
        id: required(bytes), transports: sequence(string), type: required(string),
    }));
    const prfValues = dictionary("AuthenticationExtensionsPRFValues", { first: required(bytes), second: bytes });
    const extensions = (credentialProtectionPolicy) => dictionary("AuthenticationExtensionsClientInputs", {
        appid: string, appidExclude: string, credBlob: bytes, credProps: boolean, credentialProtectionPolicy,
        enforceCredentialProtectionPolicy: boolean, getCredBlob: boolean, hmacCreateSecret: boolean,
        largeBlob: dictionary("AuthenticationExtensionsLargeBlobInputs", { read: boolean, support: string, write: bytes }),
        minPinLength: boolean, payment: beyond(dictionary("AuthenticationExtensionsPaymentInputs", { isPayment: boolean })),
        pinComplexityPolicy: boolean,
        prf: dictionary("AuthenticationExtensionsPRFInputs", { eval: prfValues, evalByCredential: record(prfValues) }), uvm: boolean,
    });
    const requirement = oneOf("required", "preferred", "discouraged");

    // Members of other credential types are the browser's.
    const ceremonies = {
        create: dictionary("CredentialCreationOptions", {
            digital: any, federated: any, mediation: string, password: any,
            publicKey: dictionary("PublicKeyCredentialCreationOptions", {
                attestation: oneOf("none", "indirect", "direct", "enterprise"), attestationFormats: beyond(sequence(string)),
                authenticatorSelection: dictionary("AuthenticatorSelectionCriteria", {
                    authenticatorAttachment: oneOf("platform", "cross-platform"), requireResidentKey: boolean,
                    residentKey: requirement, userVerification: requirement,
                }),
                challenge: required(bytes), excludeCredentials: descriptors, extensions: extensions(string), hints: sequence(string),
                pubKeyCredParams: required(sequence(dictionary("PublicKeyCredentialParameters", {
                    alg: required(long), type: required(string),
                }))),
                rp: required(dictionary("PublicKeyCredentialRpEntity", { [inherited]: entity, id: string })),
                timeout: unsignedLong,
                user: required(dictionary("PublicKeyCredentialUserEntity", {
                    [inherited]: entity, displayName: required(string), id: required(bytes),
                })),
            }),
            signal: abortSignal,
        }),
        get: dictionary("CredentialRequestOptions", {
            digital: any, federated: any, identity: any, mediation: string, otp: any, password: any,
            publicKey: dictionary("PublicKeyCredentialRequestOptions", {
                allowCredentials: descriptors, challenge: required(bytes), extensions: extensions(oneOf()),
                hints: sequence(string), rpId: string, timeout: unsignedLong, userVerification: requirement,
            }),
            signal: abortSignal, uiMode: any,
        }),
    };
    const isBase64url = /^(?:[\w-]{4})*(?:[\w-]{2,3})?$/;
    // CredentialMediationRequirement (Credential Management §2.3.2).
    const mediations = ["silent", "optional", "conditional", "required"];

    const signals = {
        signalUnknownCredential: dictionary("UnknownCredentialOptions", { credentialId: required(string), rpId: required(string) }),
        signalAllAcceptedCredentials: dictionary("AllAcceptedCredentialsOptions", {
            allAcceptedCredentialIds: required(sequence(string)), rpId: required(string), userId: required(string),
        }),
        signalCurrentUserDetails: dictionary("CurrentUserDetailsOptions", {
            displayName: required(string), name: required(string), rpId: required(string), userId: required(string),
        }),
    };

    // -- Conversion.

    // Runs a conversion for a method; a problem is a TypeError of the page.
    function converted(method, owner, work) {
        try {
            return work();
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
            throw new TypeError(error.message(method, owner));
        }
    }

    // The options of create() or get(), with `publicKey` as JSON and the members of other credential types as they are.
    function ceremony(kind, given) {
        return converted(kind, "CredentialsContainer", () => {
            const read = ceremonies[kind](given);
            if (read.publicKey && read.mediation !== undefined && !mediations.includes(read.mediation)) {
                const [{ named: owner }, type] = [ceremonies[kind], "CredentialMediationRequirement"];
                refuse(
                    `Failed to read the 'mediation' property from '${owner}': The provided value '${read.mediation}' is not a valid enum `
                        + `value of type ${type}.`,
                    () => `'${read.mediation}' (value of 'mediation' member of ${owner}) is not a valid value for enumeration ${type}.`);
            }
            return read;
        });
    }

    // The options of a signal method.
    function signal(method, values) {
        return converted(method, "PublicKeyCredential", () => {
            if (values.length === 0) {
                refuse("1 argument required, but only 0 present.", () => "At least 1 argument required, but only 0 passed");
            }
            const read = signals[method](values[0]);
            for (const member of ["userId", "credentialId", "allAcceptedCredentialIds"]) {
                const texts = read[member] === undefined ? [] : [].concat(read[member]);
                if (!texts.every((text) => isBase64url.test(text))) refuse(`Invalid base64url string for ${member}.`);
            }
            return read;
        });
    }

    return { ceremony, signal, isFirefox, isObject, members: (kind) => ceremonies[kind].rows.map(({ key }) => key) };
})();
