internal import Documents
internal import Foundation
internal import RelyingParty
package import WebAuthn

/// A stored credential as JSON; what a file leaves out is taken from the response.
package struct CapturedRecord: Hashable, Codable, Sendable {
    /// The credential ID.
    package var id: Base64URLBytes?
    /// The public key as COSE CBOR.
    package var publicKey: Base64URLBytes
    /// The last signature counter; 0 when left out.
    package var signCount: UInt32?
    /// BE at registration.
    package var backupEligible: Bool?
    /// The last BS.
    package var backupState: Bool?
    /// Whether the user was verified in any use.
    package var uvInitialized: Bool?
    /// The user handle of the owner.
    package var userHandle: Base64URLBytes?
    package var aaguid: String?
    package var transports: [AuthenticatorTransport]?

    init(_ record: CredentialRecord, userHandle: [UInt8]?) {
        id = Base64URLBytes(record.id)
        publicKey = Base64URLBytes(record.publicKey)
        signCount = record.signCount
        backupEligible = record.backupEligible
        backupState = record.backupState
        uvInitialized = record.uvInitialized
        self.userHandle = userHandle.map { Base64URLBytes($0) }
        aaguid = record.aaguid.description
        transports = record.transports
    }

    /// Reads a record, or the report of a registration, which has one as `record`.
    ///
    /// - Throws: ``CaptureError``.
    package init(parsing bytes: [UInt8]) throws(CaptureError) {
        let value = try CaptureError.reading("the stored credential") { try JSONValue(parsing: bytes) }
        self = try CaptureError.reading("the stored credential") {
            try JSONDecoder().decode(Self.self, from: Data((value["record"] ?? value).bytes()))
        }
    }

    /// The record with which an assertion is compared.
    func record(for response: AuthenticationResponse, relyingPartyID: String) -> CredentialRecord {
        let data = try? AuthenticatorData(parsing: response.response.authenticatorData.bytes)
        let flags = data?.flags ?? []
        let handle = userHandle ?? response.response.userHandle
        return CredentialRecord(
            id: (id ?? response.rawId).bytes, publicKey: publicKey.bytes, signCount: signCount ?? 0,
            uvInitialized: uvInitialized ?? false, transports: transports ?? [],
            backupEligible: backupEligible ?? flags.contains(.backupEligible), backupState: backupState ?? false,
            aaguid: aaguid.flatMap { AAGUID($0) } ?? .zero, userHandle: handle?.bytes ?? [],
            relyingPartyID: relyingPartyID)
    }
}
