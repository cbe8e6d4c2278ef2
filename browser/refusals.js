// The browser's own refusals of options, and its words for errors.
//
// The carrier puts this file in front of page.js. Chromium refuses more options than WebAuthn says; the device is not asked.
const refusals = (() => {
    "use strict";

    const { isFirefox } = options;
    const isChromium = "NavigatorUAData" in self;

    const LONGEST_LIST = 64;
    const LONGEST_USER_ID = 64;

    const isLong = (list) => list !== undefined && list.length > LONGEST_LIST;
    const tooLong = (member) => `The \`${member}\` attribute exceeds the maximum allowed size (${LONGEST_LIST}).`;
    const badURL = (text) => text !== undefined && text !== "" && !URL.canParse(text);
    const size = (base64url) => Math.floor(base64url.length * 3 / 4);
    const policies = ["userVerificationOptional", "userVerificationOptionalWithCredentialIDList", "userVerificationRequired"];

    function isPolicyInconsistent({ extensions: { credentialProtectionPolicy: policy, enforceCredentialProtectionPolicy: isEnforced } = {},
        authenticatorSelection: { residentKey, requireResidentKey, userVerification } = {} }) {
        const isOptional = policy === policies[0];
        const isDiscouraged = (residentKey ?? (requireResidentKey ? "required" : "discouraged")) === "discouraged";
        return policy === policies[2] && userVerification !== "required" || isOptional && isDiscouraged
            || isEnforced && (policy === undefined || isOptional);
    }

    // App IDs belong to origins with TLS (FIDO AppID and Facet Specification §3.1.2).
    const isAppIDForeign = (appID) => appID !== undefined && !self.origin.startsWith("https:");

    const INVALID_DOMAIN = "This is an invalid domain.";
    const NOT_SUPPORTED = "NotSupportedError";
    const MISSING = "Required parameters missing in `options.publicKey`.";

    // Chromium's checks in their order: whether the options are refused, the error's name and its words.
    const chromium = {
        create: [
            [({ extensions }) => extensions?.appid !== undefined, NOT_SUPPORTED,
                "The 'appid' extension is only valid when requesting an assertion for a pre-existing credential that was registered "
                    + "using the legacy FIDO U2F API."],
            [({ extensions }) => badURL(extensions?.appidExclude), "SyntaxError",
                "The `appidExclude` extension value is neither empty/null nor a valid URL."],
            ...["read", "write"].map((member) => [({ extensions }) => extensions?.largeBlob?.[member] !== undefined, NOT_SUPPORTED,
                `The 'largeBlob' extension's '${member}' parameter is only valid when requesting an assertion`]),
            [({ extensions }) => extensions?.prf?.evalByCredential !== undefined, NOT_SUPPORTED,
                "The 'evalByCredential' field cannot be set when creating a credential."],
            [({ excludeCredentials }) => isLong(excludeCredentials), "RangeError", tooLong("excludeCredentials")],
            [({ pubKeyCredParams: kinds }) => kinds.length > 0 && !Array.from(kinds).some(({ type }) => type === "public-key"),
                NOT_SUPPORTED, MISSING],
            [({ extensions: { credentialProtectionPolicy: policy } = {} }) => policy !== undefined && !policies.includes(policy),
                NOT_SUPPORTED, MISSING],
            [({ user }) => size(user.id) > LONGEST_USER_ID, "TypeError", `User handle exceeds ${LONGEST_USER_ID} bytes.`],
            [isPolicyInconsistent, NOT_SUPPORTED,
                "Requested protection policy is inconsistent or incongruent with other requested parameters."],
            [({ extensions }) => isAppIDForeign(extensions?.appidExclude), "SecurityError", INVALID_DOMAIN],
        ],
        get: [
            [({ allowCredentials }) => isLong(allowCredentials), "RangeError", tooLong("allowCredentials")],
            [({ extensions }) => badURL(extensions?.appid), "SyntaxError",
                "The `appid` extension value is neither empty/null nor a valid URL"],
            [({ extensions }) => isAppIDForeign(extensions?.appid), "SecurityError", INVALID_DOMAIN],
            [({ extensions }) => extensions?.credProps === true, NOT_SUPPORTED,
                "The 'credProps' extension is only valid when creating a credential"],
            [({ extensions }) => extensions?.largeBlob?.support !== undefined, NOT_SUPPORTED,
                "The 'largeBlob' extension's 'support' parameter is only valid when creating a credential"],
            [({ extensions: { largeBlob } = {} }) => largeBlob?.read && largeBlob.write !== undefined, NOT_SUPPORTED,
                "Only one of the 'largeBlob' extension's 'read' and 'write' parameters is allowed at a time"],
            [({ extensions, allowCredentials }) => extensions?.largeBlob?.write !== undefined && allowCredentials?.length !== 1,
                NOT_SUPPORTED,
                "The 'largeBlob' extension's 'write' parameter can only be used with a single credential present on 'allowCredentials'"],
            [({ extensions, allowCredentials }) => extensions?.prf?.evalByCredential && !allowCredentials?.length, NOT_SUPPORTED,
                "'prf' extension has 'evalByCredential' with an empty allow list"],
            ...[
                [(id) => id === "", "an empty credential ID in 'evalByCredential'"],
                [(id) => !/^(?:[\w-]{4})*(?:[\w-]{2,3})?$/.test(id), "invalid base64url data in 'evalByCredential'"],
                [(id, ids) => !ids.includes(id), "'evalByCredential' key that doesn't match any in allowedCredentials"],
            ].map(([isWrong, problem]) => [({ extensions, allowCredentials }) => {
                const ids = Array.from(allowCredentials ?? [], ({ id }) => id);
                return Object.keys(extensions?.prf?.evalByCredential ?? {}).some((id) => isWrong(id, ids));
            }, "SyntaxError", `'prf' extension contains ${problem}`]),
        ],
    };

    // Firefox has one text for each name.
    const firefox = {
        AbortError: "The operation was aborted. ",
        InvalidStateError: "An attempt was made to use an object that is not, or is no longer, usable",
        NotAllowedError: "The request is not allowed by the user agent or the platform in the current context, possibly because the user "
            + "denied permission.",
        NotSupportedError: "Operation is not supported",
        SecurityError: "The operation is insecure.",
        SyntaxError: "An invalid or illegal string was specified",
        UnknownError: "The operation failed for an unknown transient reason",
    };
    const errors = { TypeError, RangeError };

    // An error of the page, in the browser's words; the carrier's are Chromium's.
    function failure({ name, message }) {
        const Made = errors[name];
        return Made ? new Made(message) : new DOMException(isFirefox && firefox[name] || message, name);
    }

    // Chromium leaves credentials of unknown types out, and takes the list that remains as if the page had given it.
    function simplify({ allowCredentials, ...publicKey }) {
        if (!isChromium || !allowCredentials) return { allowCredentials, ...publicKey };
        const known = Array.from(allowCredentials).filter(({ type }) => type === "public-key");
        return { ...publicKey, allowCredentials: Object.setPrototypeOf(known, null) };
    }

    // The error for options that the browser refuses; nothing for others.
    function find(kind, publicKey) {
        const row = isChromium && chromium[kind].find(([isRefused]) => isRefused(publicKey));
        return row ? failure({ name: row[1], message: row[2] }) : undefined;
    }

    // The error of create() for several kinds of credentials, in a browser that knows them.
    function several(members) {
        const known = { password: "PasswordCredential", federated: "FederatedCredential" };
        return members.some((member) => known[member] in self) ? failure({
            name: NOT_SUPPORTED,
            message: "Only exactly one of 'password', 'federated', and 'publicKey' credential types are currently supported.",
        }) : undefined;
    }

    return { failure, find, several, simplify };
})();
