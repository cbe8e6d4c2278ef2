package import CTAP
internal import Causes

/// The exception a page sees for each CTAP status (WebAuthn L3 §5.1.3, §5.1.4, §6.3).
///
/// Statuses that could reveal the device's credentials or user are `NotAllowedError`, and so is every refusal by the
/// user. In create(), `ConstraintError` means that the authenticator cannot meet a requirement; get() hides that. A
/// request the device did not understand is `UnknownError`.
enum RefusalTable {
    struct Row: Sendable {
        let status: CTAPStatus
        let create: DOMExceptionName
        let get: DOMExceptionName

        init(_ status: CTAPStatus, _ both: DOMExceptionName) { self.init(status, create: both, get: both) }

        init(_ status: CTAPStatus, create: DOMExceptionName, get: DOMExceptionName) {
            self.status = status
            self.create = create
            self.get = get
        }
    }

    /// One row for each status in the specification except OK.
    static let rows: [Row] = [
        Row(.invalidCommand, .unknownError),
        Row(.invalidParameter, .unknownError),
        Row(.invalidLength, .unknownError),
        Row(.invalidSequence, .unknownError),
        Row(.timeout, .notAllowedError),
        Row(.channelBusy, .notAllowedError),
        Row(.lockRequired, .unknownError),
        Row(.invalidChannel, .unknownError),
        Row(.cborUnexpectedType, .unknownError),
        Row(.invalidCBOR, .unknownError),
        Row(.missingParameter, .unknownError),
        Row(.limitExceeded, .unknownError),
        Row(.fingerprintDatabaseFull, .unknownError),
        Row(.largeBlobStorageFull, .unknownError),
        Row(.credentialExcluded, create: .invalidStateError, get: .unknownError),
        Row(.processing, .unknownError),
        Row(.invalidCredential, create: .unknownError, get: .notAllowedError),
        Row(.userActionPending, .unknownError),
        Row(.operationPending, .unknownError),
        Row(.noOperations, .unknownError),
        Row(.unsupportedAlgorithm, create: .notSupportedError, get: .unknownError),
        Row(.operationDenied, .notAllowedError),
        Row(.keyStoreFull, .notAllowedError),
        Row(.unsupportedOption, create: .constraintError, get: .notAllowedError),
        Row(.invalidOption, create: .constraintError, get: .notAllowedError),
        Row(.keepaliveCancel, .notAllowedError),
        Row(.noCredentials, .notAllowedError),
        Row(.userActionTimeout, .notAllowedError),
        Row(.notAllowed, .notAllowedError),
        Row(.pinInvalid, .notAllowedError),
        Row(.pinBlocked, .notAllowedError),
        Row(.pinAuthInvalid, .notAllowedError),
        Row(.pinAuthBlocked, .notAllowedError),
        Row(.pinNotSet, create: .constraintError, get: .notAllowedError),
        Row(.puatRequired, create: .constraintError, get: .notAllowedError),
        Row(.pinPolicyViolation, .notAllowedError),
        Row(.requestTooLarge, .unknownError),
        Row(.actionTimeout, .notAllowedError),
        Row(.upRequired, .notAllowedError),
        Row(.uvBlocked, .notAllowedError),
        Row(.integrityFailure, .unknownError),
        Row(.invalidSubcommand, .unknownError),
        Row(.uvInvalid, .notAllowedError),
        Row(.unauthorizedPermission, .notAllowedError),
        Row(.other, .unknownError),
    ]
}

extension WebAuthnClientError {
    /// The page's error for a refusal; an unassigned status is `UnknownError` with the label `ctap.unassigned`.
    package init(refusal status: CTAPStatus, during ceremony: Ceremony, detail: String? = nil) {
        let row = RefusalTable.rows.first { $0.status == status }
        self.init(
            (ceremony == .create ? row?.create : row?.get) ?? .unknownError,
            RefusalReason(Cause("ctap.\(status.identifier)"), "CTAP 2.3 §8.2"), ctapStatus: status, detail: detail)
    }
}
