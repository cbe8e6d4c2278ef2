// Defines the classes of WebAuthn in a browser that has none, such as WebKitGTK.
//
// The script runs in the page's own world before page.js, which gives the classes' members their values.
(() => {
    "use strict";

    // WebAuthn exists in secure contexts only.
    if (!self.isSecureContext || self.PublicKeyCredential) return;

    const illegal = () => new TypeError("Illegal invocation");
    const unsupported = () => new DOMException("The operation is not supported.", "NotSupportedError");

    // An attribute throws, as on any object that the browser has not made; an operation is a function.
    function define(name, parent, attributes, operations, statics = {}) {
        const { [name]: made } = { [name]: function () { throw new TypeError("Illegal constructor"); } };
        if (parent) {
            Object.setPrototypeOf(made, parent);
            made.prototype = Object.create(parent.prototype, { constructor: { value: made, writable: true, configurable: true } });
        }
        for (const attribute of attributes) {
            const { get } = Object.getOwnPropertyDescriptor({ get [attribute]() { throw illegal(); } }, attribute);
            Object.defineProperty(made.prototype, attribute, { get, enumerable: true, configurable: true });
        }
        for (const [target, functions] of [[made.prototype, operations], [made, statics]]) {
            for (const [key, value] of Object.entries(functions)) {
                Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
            }
        }
        Object.defineProperty(made.prototype, Symbol.toStringTag, { value: name, configurable: true });
        Object.defineProperty(self, name, { value: made, writable: true, configurable: true });
        return made;
    }

    // -- Options from JSON (WebAuthn L3 §5.1.8, §5.1.9).

    function buffer(base64url, member) {
        if (base64url === undefined) throw new TypeError(`The required member ${member} is undefined.`);
        const isBase64url = /^[A-Za-z0-9_-]*$/.test(base64url) && String(base64url).length % 4 !== 1;
        if (!isBase64url) throw new DOMException(`${member} is not base64url.`, "EncodingError");
        const binary = atob(String(base64url).replaceAll("-", "+").replaceAll("_", "/"));
        return Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer;
    }

    function extensions(json) {
        const values = (pair) => Object.fromEntries(Object.entries(pair).map(([key, value]) => [key, buffer(value, `prf.${key}`)]));
        const inputs = { ...json };
        if (json.prf) {
            inputs.prf = { ...json.prf };
            if (json.prf.eval) inputs.prf.eval = values(json.prf.eval);
            if (json.prf.evalByCredential) {
                inputs.prf.evalByCredential = Object.fromEntries(
                    Object.entries(json.prf.evalByCredential).map(([id, pair]) => [id, values(pair)]));
            }
        }
        if (json.largeBlob?.write !== undefined) {
            inputs.largeBlob = { ...json.largeBlob, write: buffer(json.largeBlob.write, "largeBlob.write") };
        }
        if (json.credBlob !== undefined) inputs.credBlob = buffer(json.credBlob, "credBlob");
        return inputs;
    }

    function options(json, list) {
        const made = { ...json, challenge: buffer(json.challenge, "challenge") };
        if (json[list]) made[list] = Array.from(json[list], (entry) => ({ ...entry, id: buffer(entry.id, "id") }));
        if (json.extensions) made.extensions = extensions(json.extensions);
        return made;
    }

    // -- The classes.

    const Credential = define("Credential", null, ["id", "type"], {});
    define("PublicKeyCredential", Credential, ["rawId", "response", "authenticatorAttachment"], {
        getClientExtensionResults() { throw illegal(); },
        toJSON() { throw illegal(); },
    }, {
        async getClientCapabilities() { throw unsupported(); },
        async isConditionalMediationAvailable() { return false; },
        async isUserVerifyingPlatformAuthenticatorAvailable() { return false; },
        parseCreationOptionsFromJSON(json) {
            return { ...options(json, "excludeCredentials"), user: { ...json.user, id: buffer(json.user?.id, "user.id") } };
        },
        parseRequestOptionsFromJSON(json) { return options(json, "allowCredentials"); },
    });
    const AuthenticatorResponse = define("AuthenticatorResponse", null, ["clientDataJSON"], {});
    define("AuthenticatorAssertionResponse", AuthenticatorResponse, ["authenticatorData", "signature", "userHandle"], {});
    define("AuthenticatorAttestationResponse", AuthenticatorResponse, ["attestationObject"], {
        getAuthenticatorData() { throw illegal(); },
        getPublicKey() { throw illegal(); },
        getPublicKeyAlgorithm() { throw illegal(); },
        getTransports() { throw illegal(); },
    });

    const CredentialsContainer = define("CredentialsContainer", null, [], {
        async create(options) { throw unsupported(); },
        async get(options) { throw unsupported(); },
        async preventSilentAccess() {},
        async store(credential) { throw unsupported(); },
    });
    const container = Object.create(CredentialsContainer.prototype);
    const { get } = Object.getOwnPropertyDescriptor({ get credentials() { return container; } }, "credentials");
    Object.defineProperty(Navigator.prototype, "credentials", { get, enumerable: true, configurable: true });
})();
