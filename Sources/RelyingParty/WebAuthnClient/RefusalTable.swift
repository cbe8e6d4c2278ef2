public import CTAP

/// CTAP status to exception: what a page sees of each refusal (WebAuthn L3 §5.1.3, §5.1.4, §6.3).
///
/// Whatever could tell a page which credentials or which person a device holds is `NotAllowedError`, and so is every
/// way of not agreeing. `ConstraintError` says in create() that no authenticator can do what is required; get() hides
/// it. A request the device did not understand is `UnknownError`.
enum RefusalTable {
    /// One status.
    struct Row: Sendable {
        let status: CTAPStatus
        let create: DOMExceptionName
        let get: DOMExceptionName
        let label: String

        init(_ status: CTAPStatus, _ both: DOMExceptionName, _ label: String) {
            self.init(status, create: both, get: both, label)
        }

        init(_ status: CTAPStatus, create: DOMExceptionName, get: DOMExceptionName, _ label: String) {
            self.status = status
            self.create = create
            self.get = get
            self.label = label
        }
    }

    /// One row for each status the specification names, but OK.
    static let rows: [Row] = [
        Row(.invalidCommand, .unknownError, "ctap.invalidCommand"),
        Row(.invalidParameter, .unknownError, "ctap.invalidParameter"),
        Row(.invalidLength, .unknownError, "ctap.invalidLength"),
        Row(.invalidSequence, .unknownError, "ctap.invalidSequence"),
        Row(.timeout, .notAllowedError, "ctap.timeout"),
        Row(.channelBusy, .notAllowedError, "ctap.channelBusy"),
        Row(.lockRequired, .unknownError, "ctap.lockRequired"),
        Row(.invalidChannel, .unknownError, "ctap.invalidChannel"),
        Row(.cborUnexpectedType, .unknownError, "ctap.cborUnexpectedType"),
        Row(.invalidCBOR, .unknownError, "ctap.invalidCBOR"),
        Row(.missingParameter, .unknownError, "ctap.missingParameter"),
        Row(.limitExceeded, .unknownError, "ctap.limitExceeded"),
        Row(.fingerprintDatabaseFull, .unknownError, "ctap.fingerprintDatabaseFull"),
        Row(.largeBlobStorageFull, .unknownError, "ctap.largeBlobStorageFull"),
        Row(.credentialExcluded, create: .invalidStateError, get: .unknownError, "ctap.credentialExcluded"),
        Row(.processing, .unknownError, "ctap.processing"),
        Row(.invalidCredential, create: .unknownError, get: .notAllowedError, "ctap.invalidCredential"),
        Row(.userActionPending, .unknownError, "ctap.userActionPending"),
        Row(.operationPending, .unknownError, "ctap.operationPending"),
        Row(.noOperations, .unknownError, "ctap.noOperations"),
        Row(.unsupportedAlgorithm, create: .notSupportedError, get: .unknownError, "ctap.unsupportedAlgorithm"),
        Row(.operationDenied, .notAllowedError, "ctap.operationDenied"),
        Row(.keyStoreFull, .notAllowedError, "ctap.keyStoreFull"),
        Row(.unsupportedOption, create: .constraintError, get: .notAllowedError, "ctap.unsupportedOption"),
        Row(.invalidOption, create: .constraintError, get: .notAllowedError, "ctap.invalidOption"),
        Row(.keepaliveCancel, .notAllowedError, "ctap.keepaliveCancel"),
        Row(.noCredentials, .notAllowedError, "ctap.noCredentials"),
        Row(.userActionTimeout, .notAllowedError, "ctap.userActionTimeout"),
        Row(.notAllowed, .notAllowedError, "ctap.notAllowed"),
        Row(.pinInvalid, .notAllowedError, "ctap.pinInvalid"),
        Row(.pinBlocked, .notAllowedError, "ctap.pinBlocked"),
        Row(.pinAuthInvalid, .notAllowedError, "ctap.pinAuthInvalid"),
        Row(.pinAuthBlocked, .notAllowedError, "ctap.pinAuthBlocked"),
        Row(.pinNotSet, create: .constraintError, get: .notAllowedError, "ctap.pinNotSet"),
        Row(.puatRequired, create: .constraintError, get: .notAllowedError, "ctap.puatRequired"),
        Row(.pinPolicyViolation, .notAllowedError, "ctap.pinPolicyViolation"),
        Row(.requestTooLarge, .unknownError, "ctap.requestTooLarge"),
        Row(.actionTimeout, .notAllowedError, "ctap.actionTimeout"),
        Row(.upRequired, .notAllowedError, "ctap.upRequired"),
        Row(.uvBlocked, .notAllowedError, "ctap.uvBlocked"),
        Row(.integrityFailure, .unknownError, "ctap.integrityFailure"),
        Row(.invalidSubcommand, .unknownError, "ctap.invalidSubcommand"),
        Row(.uvInvalid, .notAllowedError, "ctap.uvInvalid"),
        Row(.unauthorizedPermission, .notAllowedError, "ctap.unauthorizedPermission"),
        Row(.other, .unknownError, "ctap.other"),
    ]
}

extension WebAuthnClientError {
    /// What a refusal with this status looks like from the page; a status no specification names is `UnknownError`
    /// with the label `ctap.unassigned`.
    public init(refusal status: CTAPStatus, during ceremony: Ceremony, detail: String? = nil) {
        guard let row = RefusalTable.rows.first(where: { $0.status == status }) else {
            self.init(
                .unknownError, RefusalReason("ctap.unassigned", "CTAP 2.3 §8.2"), ctapStatus: status, detail: detail)
            return
        }
        self.init(
            ceremony == .create ? row.create : row.get, RefusalReason(row.label, "CTAP 2.3 §8.2"), ctapStatus: status,
            detail: detail)
    }
}
