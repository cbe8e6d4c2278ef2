import Foundation
import RelyingParty
import WebAuthn

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An HTTP answer.
struct Answer: Sendable {
    let status: Int
    let body: Data
    let response: HTTPURLResponse

    func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// The error of a refused request.
    var error: ErrorView? { (try? decode([String: ErrorView].self))?["error"] }
    var code: String? { error?.code }

    /// The steps that failed.
    var failedSteps: [VerificationStep] {
        error?.ledger.map { Ledger(entries: $0).failures.map(\.step) } ?? []
    }

    /// The reasons' labels, in the ledger's order.
    var reasons: [ReasonLabel] {
        error?.ledger?.flatMap(\.outcome.reasons).map(\.label) ?? []
    }
}

struct ErrorView: Decodable {
    let code: String
    let message: String
    let ledger: [LedgerEntry]?
}

struct PasskeyView: Decodable, Equatable {
    var credentialId: Base64URLBytes
    var aaguid: String
    var deviceName: String
    var createdAt: String
    var lastUsedAt: String?
    var transports: [AuthenticatorTransport]
    var attachment: String?
    var backupEligible: Bool
    var backupState: Bool
    var signCount: UInt32
}

struct SessionView: Decodable {
    struct User: Decodable {
        let userHandle: Base64URLBytes
        let username: String
        let displayName: String
        let hasPassword: Bool
    }

    let user: User
    let authenticatedBy: String?
    let expiresAt: String
    let reauthenticatedAt: String?
    let isFresh: Bool
}

struct SignedInView: Decodable {
    let token: String
    let session: SessionView
}
