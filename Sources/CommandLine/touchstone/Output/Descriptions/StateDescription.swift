import Biometrics
import COSE
import CTAP
import DeviceHost
import DeviceProfiles
import DeviceStore
import Foundation
import Machine
internal import ProfileFiles
import SimulatedDevice
import Tables
import VirtualAuthenticator
import WebAuthn
import Wording

/// A state file in words and in JSON, without its secrets.
struct StateDescription: Encodable {
    let profile: String
    let title: String?
    let aaguid: String
    let createdAt: String
    let sealed: Bool
    /// The highest value the counter of the whole device may have reached.
    let globalCounter: UInt32
    let credentialCount: Int
    let relyingPartyCount: Int
    let sealedCounters: Int
    let largeBlobBytes: Int
    let secrets: [String]
    /// The content of the device; nil for a sealed file without its passphrase, or a file without state.
    let device: Content?

    struct Content: Encodable {
        let pinSet: Bool
        let pinRetries: Int
        let uvRetries: Int
        let lockout: String?
        let enrolled: [String]
        let credentials: [Credential]
    }

    struct Credential: Encodable {
        let id: String
        let relyingParty: String
        let user: String?
        let userHandle: String
        let discoverable: Bool
        let algorithm: String
        /// Nil for a device with a global counter or none.
        let signCount: UInt32?
        let backupEligible: Bool
        let backedUp: Bool
        let protection: Int
    }

    /// - Parameter unseal: Reads the content; returns nil without the passphrase.
    init(_ reader: StoreReader, unsealing unseal: (StoreReader) throws -> StoredDevice?) async throws {
        let summary = reader.summary
        profile = summary.identity.profileName
        let parsed = try? DeviceProfile(parsing: summary.identity.profileText, file: summary.identity.profileName)
        title = parsed?.title
        aaguid = AAGUID(bytes: summary.identity.aaguid)?.description ?? ""
        createdAt = Date(timeIntervalSince1970: summary.createdAt / .seconds(1)).ISO8601Format()
        sealed = summary.isSealed
        globalCounter = summary.globalCounter
        credentialCount = summary.credentialCount
        relyingPartyCount = summary.relyingPartyCount
        sealedCounters = summary.sealedCounterCount
        largeBlobBytes = summary.largeBlobLength
        secrets = summary.secretNames
        if let parsed, let stored = try unseal(reader) {
            device = try await Self.content(stored, parsed)
        } else {
            device = nil
        }
    }

    /// Starts the device to read its state.
    private static func content(_ stored: StoredDevice, _ profile: DeviceProfile) async throws -> Content {
        let clock = SimulatedClock(at: .seconds(MachineClock.shared.now().components.seconds))
        let device = try SimulatedDevice(
            profile: profile, restoring: stored, time: clock, random: SystemRandomSource(),
            user: ControlledUser(habit: .ask, waitUntil: { _ in }))
        let status = await DeviceReport(device, clock: .simulated(ManualTime(clock))).status
        let kept = stored.authenticator.credentials.compactMap { StoredCredential(encoded: $0) }
        return Content(
            pinSet: status.isPINSet, pinRetries: status.pinRetries, uvRetries: status.uvRetries,
            lockout: status.lockout, enrolled: status.enrolled,
            credentials: kept.sorted { $0.creationOrder < $1.creationOrder }.map {
                Credential($0, countsAlone: profile.authenticator.counterMode == .perCredential)
            })
    }

    var lines: [String] {
        var table = TextTable()
        func add(_ label: String, _ text: String) { table.add(label, text) }
        add("device", title.map { "\(profile): \($0)" } ?? profile)
        add("AAGUID", aaguid)
        add("created", createdAt)
        add("sealed", sealed ? "with a passphrase" : "no: the private keys are readable in the file")
        if let device {
            if !device.enrolled.isEmpty { add("enrolled", device.enrolled.joined(separator: ", ")) }
            if let lockout = device.lockout { add("lockout", "\(lockout), \(Self.retries(device.uvRetries))") }
            add("PIN", (device.pinSet ? "set" : "not set") + ", \(Self.retries(device.pinRetries))")
        }
        if !secrets.isEmpty { add("app secrets", secrets.joined(separator: ", ")) }
        if largeBlobBytes > 0 { add("large blobs", Wording.counted(largeBlobBytes, "byte")) }
        if globalCounter > 0 { add("counter", "at most \(globalCounter)") }
        if sealedCounters > 0 {
            add("counters", "\(sealedCounters) of credentials with their keys in the IDs")
        }
        let parties = Wording.counted(relyingPartyCount, "relying party", "relying parties")
        add("credentials", "\(credentialCount), of \(parties)")
        for credential in device?.credentials ?? [] {
            table.add(
                note: "  \(credential.relyingParty)  \(credential.user ?? "-")  \(credential.algorithm)"
                    + (credential.signCount.map { "  count \($0)" } ?? ""))
        }
        return table.lines
    }

    private static func retries(_ count: Int) -> String { "\(Wording.counted(count, "retry", "retries")) left" }
}

extension StateDescription.Credential {
    init(_ credential: StoredCredential, countsAlone: Bool) {
        id = Base64URL.encode(credential.id)
        relyingParty = credential.relyingPartyID
        user = credential.user.name
        userHandle = Base64URL.encode(credential.user.id)
        discoverable = credential.isDiscoverable
        algorithm = credential.publicKey.algorithm.description
        signCount = countsAlone ? credential.signCount : nil
        backupEligible = credential.isBackupEligible
        backedUp = credential.isBackedUp
        protection = Int(credential.protection.rawValue)
    }
}
