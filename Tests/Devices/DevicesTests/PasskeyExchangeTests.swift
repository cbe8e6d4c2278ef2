import Biometrics
import CBOR
import CTAP
import Causes
import CredentialExchange
import DeviceProfiles
import Documents
import PlatformErrors
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@testable import DeviceActs

/// Passkeys that travel as documents of the Credential Exchange Format.
@Suite("Passkeys in documents")
struct PasskeyExchangeTests {
    private static func credentials(_ device: Device) async -> [StoredCredential] {
        await device.device.authenticator.snapshot().credentials
    }

    private static func perform(
        _ word: String, _ arguments: [String: String] = [:], on device: Device
    ) async throws -> DeviceActResult {
        await device.device.perform(try DeviceAct(verb: word, arguments: arguments))
    }

    /// The document that a device exports.
    private static func document(_ device: Device, _ arguments: [String: String] = [:]) async throws -> String {
        let result = try await perform("export-passkeys", arguments, on: device)
        return try #require(result.document, "\(result.reason ?? "")")
    }

    private static func importing(
        _ document: String, _ arguments: [String: String] = [:], on device: Device
    ) async throws -> DeviceActResult {
        try await perform("import-passkeys", arguments.merging(["document": document]) { _, new in new }, on: device)
    }

    /// A profile with changes of its text.
    private static func device(_ name: String, _ changes: [(String, String)]) throws -> Device {
        let text = try changes.reduce(Shop.library.profile(name).text) { text, change in
            try #require(text.contains(change.0), "\(change.0)")
            return text.replacing(change.0, with: change.1)
        }
        return try Device(DeviceProfile(parsing: text, file: "\(name).yaml"))
    }

    // MARK: Both ends

    @Test(
        "An imported passkey has the same ID, key and account, BE and BS, and a counter that stays 0",
        arguments: [
            ("iphone-face-id", "bitwarden"), ("iphone-face-id", "1password"), ("iphone-face-id", "pixel-fingerprint"),
            ("iphone-face-id", "macbook-touch-id"), ("iphone-face-id", "bitwarden-older"),
            ("pixel-fingerprint", "iphone-face-id"), ("pixel-fingerprint", "dashlane"), ("1password", "bitwarden"),
            ("1password", "pixel-fingerprint"), ("dashlane", "iphone-face-id"), ("dashlane", "1password"),
        ])
    func bothEnds(_ exporter: String, _ importer: String) async throws {
        let (phone, other) = (try Device(exporter), try Device(importer))
        try await phone.register(user: "ada")
        let exported = try await Self.perform("export-passkeys", on: phone)
        #expect(exported.answer == "1 passkey (ada at example.com)" && exported.cause == nil)
        let document = try #require(exported.document)
        let name = try ExchangeReading(parsing: Array(document.utf8), file: "a").document.exporterRelyingPartyID
        #expect(name == phone.device.profile.exchange?.exporterRelyingPartyID)
        let imported = try await Self.importing(document, on: other)
        #expect(imported.answer == "1 passkey (ada at example.com)")
        let (original, copy) = (await Self.credentials(phone), await Self.credentials(other))
        #expect(copy.map(\.id) == original.map(\.id))
        #expect(copy.map(\.publicKey) == original.map(\.publicKey))
        #expect(copy.map(\.user.id) == original.map(\.user.id) && copy.map(\.user.name) == ["ada"])
        #expect(copy.allSatisfy { $0.isBackupEligible && $0.isBackedUp && $0.isDiscoverable })
        for _ in 1...2 {
            #expect(try await other.signIn() == .ok)
            #expect(try await phone.signIn() == .ok)
        }
        #expect(await Self.credentials(other).map(\.signCount) == [0])
        // The copy stays when the original is deleted.
        try await phone.device.forgetPasskeys()
        #expect(try await other.signIn() == .ok)
        #expect(try await phone.signIn() != .ok)
    }

    @Test("The document names its exporter, and has no more than the selected passkeys")
    func selection() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register(user: "ada")
        try await phone.register(user: "grace", at: "other.org")
        phone.clock.advance(by: .seconds(1000))
        let text = try await Self.document(phone, ["relying-party": "other.org"])
        let document = try ExchangeReading(parsing: Array(text.utf8), file: "a").document
        #expect(document.exporterRelyingPartyID == "passwords.google.com")
        #expect(document.exporterDisplayName == "Google Password Manager")
        #expect(document.timestamp == Int(phone.clock.now().components.seconds))
        #expect(document.passkeys.map(\.username) == ["grace"])
        let ids = document.accounts.map(\.id) + document.accounts.flatMap(\.items).map(\.id)
        #expect(ids.allSatisfy { $0.count == 16 } && Set(ids).count == ids.count)
    }

    @Test("A device with an account uploads an imported passkey, and sets BS afterwards")
    func synced() async throws {
        let (pixel, phone) = (try Device("pixel-fingerprint"), try Device("iphone-face-id"))
        try await pixel.register(user: "ada")
        let account = SyncAccount(name: "icloud", delay: .seconds(20), time: phone.clock)
        try await account.join(phone.device)
        _ = try await Self.importing(try await Self.document(pixel), on: phone)
        #expect(await Self.credentials(phone).map(\.isBackedUp) == [false])
        await account.settle()
        phone.clock.advance(by: .seconds(20))
        await account.settle()
        #expect(await Self.credentials(phone).map(\.isBackedUp) == [true])
    }

    // MARK: What does not travel

    @Test("A passkey that counts signatures is left out by name, and is exported on request")
    func counting() async throws {
        let vault = try Device("bitwarden-older")
        try await vault.register(user: "ada")
        // A counter that is still 0 does not matter.
        #expect(try await Self.perform("export-passkeys", on: vault).cause == nil)
        #expect(try await vault.signIn() == .ok)
        let refused = try await Self.perform("export-passkeys", on: vault)
        #expect(refused.cause == .unsupported && refused.document == nil)
        #expect(refused.explanation?.contains("ada at example.com, which counts signatures") == true)
        try await vault.register(user: "grace", at: "other.org")
        let partial = try await Self.perform("export-passkeys", on: vault)
        #expect(
            partial.answer
                == "1 passkey (grace at other.org); left out: ada at example.com, which counts signatures, so the format excludes it"
        )
        let phone = try Device("iphone-face-id")
        _ = try await Self.importing(try await Self.document(vault, ["counting": "yes"]), on: phone)
        #expect(await Self.credentials(phone).map(\.signCount) == [0, 0])
    }

    @Test("A device-bound passkey is left out, and a provider without the format takes no part")
    func deviceBound() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register(user: "ada")
        let document = try await Self.document(phone)
        for (name, cause) in [
            ("windows-hello-face", .deviceBound), ("samsung-fingerprint", .deviceBound),
            ("samsung-fingerprint-2025", .unsupported), ("microsoft-authenticator-ios", .deviceBound),
            ("keepassxc", .unsupported), ("icloud-keychain-managed", .unsupported), ("security-key-pin", .noScreen),
        ] as [(String, Cause)] {
            let device = try Device(name)
            #expect(try await Self.perform("export-passkeys", on: device).cause == cause, "\(name)")
            #expect(try await Self.importing(document, on: device).cause == cause, "\(name)")
        }
        await phone.device.authenticator.setBackup(
            isEligible: false, isBackedUp: false, credentialID: try #require(await Self.credentials(phone).first).id)
        let refused = try await Self.perform("export-passkeys", on: phone)
        #expect(refused.cause == .deviceBound)
        #expect(refused.explanation?.contains("ada at example.com, which is device-bound") == true)
    }

    @Test("An export needs an unlocked screen and the user's verification, an import the unlocked screen")
    func verification() async throws {
        let phone = try Device("iphone-face-id")
        #expect(try await Self.perform("export-passkeys", on: phone).cause == .noCredentials)
        try await phone.register(user: "ada")
        let document = try await Self.document(phone)
        try await phone.device.lock()
        #expect(try await Self.perform("export-passkeys", on: phone).cause == .deviceLocked)
        #expect(try await Self.importing(document, on: phone).cause == .deviceLocked)
        _ = try await phone.device.unlock(correctly: true)
        phone.person.willDo([.cancelByUser])
        let cancelled = try await Self.perform("export-passkeys", on: phone)
        #expect(cancelled.cause == .userCancelled && cancelled.document == nil)
    }

    // MARK: Extensions

    /// The secrets in a document.
    private static func secrets(_ document: String) throws -> ExchangeExtensions.HMACCredentials? {
        try ExchangeReading(parsing: Array(document.utf8), file: "a").document.passkeys.first?.extensions
            .hmacCredentials
    }

    @Test("The secrets of prf travel where both providers keep them, and are new ones otherwise")
    func secrets() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register(user: "ada")
        let first = try await Self.document(phone)
        let secrets = try #require(try Self.secrets(first))
        #expect(secrets.withUV.count == 32 && secrets.withoutUV.count == 32 && secrets.withUV != secrets.withoutUV)
        let pixel = try Device("pixel-fingerprint")
        _ = try await Self.importing(first, on: pixel)
        #expect(try Self.secrets(try await Self.document(pixel)) == secrets)
        // The secrets stay with the passkey in the device's stored state.
        let stored = try #require(await Self.credentials(pixel).first)
        #expect(StoredCredential(encoded: stored.encoded)?.hmacSecrets == stored.hmacSecrets)
        #expect(stored.hmacSecrets?.withUV == secrets.withUV)

        let dropping = try Self.device(
            "pixel-fingerprint", [("exporter-name: Google Password Manager", "prf: dropped")])
        _ = try await Self.importing(first, on: dropping)
        let dropped = try #require(await Self.credentials(dropping).first?.hmacSecrets)
        #expect(dropped.withUV != secrets.withUV && dropped.withoutUV != secrets.withoutUV)
        #expect(try Self.secrets(try await Self.document(dropping)) == nil)
        // A provider without prf has none to export.
        let vault = try Device("1password")
        _ = try await Self.importing(first, on: vault)
        #expect(await Self.credentials(vault).first?.hmacSecrets == nil)
        #expect(try Self.secrets(try await Self.document(vault)) == nil)
    }

    /// The output of prf for one input, as a computer gets it over hybrid.
    private static func prf(_ device: Device) async throws -> CBOR.Value? {
        let inputs: CBOR.Value = ["eval": ["first": .bytes([UInt8](repeating: 1, count: 32))]]
        let request = GetAssertionRequest(
            relyingPartyID: "example.com", clientDataHash: [UInt8](repeating: 7, count: 32),
            extensions: ["prf": inputs], options: ["uv": true])
        let answer = try await device.device.ctap(over: .hybrid)
            .transceive([CTAPCommand.getAssertion.rawValue] + CBOR.encode(request.cbor))
        #expect(answer.first == CTAPStatus.ok.rawValue)
        return try CBOR.decode(Array(answer.dropFirst()), options: .lenient).asMap("")[8]?.asMap("")["prf"]
    }

    @Test(
        "prf of an imported passkey has the same output where its provider keeps the secrets, and another one otherwise"
    )
    func outputs() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register(user: "ada")
        let output = try #require(try await Self.prf(phone))
        let document = try await Self.document(phone)
        let name = "exporter-name: Google Password Manager"
        for (rule, isSame) in [("kept", true), ("dropped", false)] {
            let other = try Self.device("pixel-fingerprint", [(name, "\(name)\n  prf: \(rule)")])
            _ = try await Self.importing(document, on: other)
            let first = try #require(try await Self.prf(other))
            #expect((first == output) == isSame, "\(rule)")
            #expect(try await Self.prf(other) == first)
        }
        // A provider that exports no secrets leaves the importer new ones.
        let vault = try Device("1password")
        _ = try await Self.importing(document, on: vault)
        let back = try Device("pixel-fingerprint")
        _ = try await Self.importing(try await Self.document(vault), on: back)
        let new = try await Self.prf(back)
        #expect(new != nil && new != output)
    }

    @Test("A large blob travels between devices that store one")
    func largeBlob() async throws {
        let (phone, tablet, pixel) = (
            try Device("iphone-face-id"), try Device("iphone-touch-id"), try Device("pixel-fingerprint")
        )
        let source = try Self.document(
            of: [
                "type": "passkey", "credentialId": "AQI", "rpId": "example.com", "username": "ada",
                "userDisplayName": "", "userHandle": "AQ",
                "key": .text(Self.key),
                "fido2Extensions": [
                    "largeBlob": ["uncompressedSize": 3, "data": "S0xKBgA"], "credBlob": "AQID", "payments": true,
                ],
            ])
        for (device, blob) in [(phone, Array("abc".utf8)), (tablet, Array("abc".utf8)), (pixel, nil)] {
            #expect(try await Self.importing(source, on: device).cause == nil)
            let credential = try #require(await Self.credentials(device).first)
            #expect(credential.largeBlob?.blob == blob)
            // Phones have neither credBlob nor payments.
            #expect(credential.credBlob == nil && !credential.allowsThirdPartyPayment)
        }
        let again = try ExchangeReading(parsing: Array(try await Self.document(phone).utf8), file: "a").document
        #expect(again.passkeys.first?.extensions.largeBlob?.blob == Array("abc".utf8))
        let dropping = try Self.device(
            "iphone-face-id", [("exporter-rp-id: apple.com", "exporter-rp-id: apple.com\n  large-blob: dropped")])
        _ = try await Self.importing(source, on: dropping)
        #expect(await Self.credentials(dropping).first?.largeBlob == nil)
    }

    /// A P-256 key as PKCS #8, in base64url.
    private static let key =
        "MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fIA"

    private static func document(of passkeys: JSONValue...) throws -> String {
        let document: JSONValue = [
            "version": ["major": 1, "minor": 0], "exporterRpId": "a.example", "exporterDisplayName": "A",
            "timestamp": 1_770_000_000,
            "accounts": [
                [
                    "id": "AQ", "username": "", "email": "", "collections": [],
                    "items": [["id": "Ag", "title": "", "credentials": .array(passkeys)]],
                ]
            ],
        ]
        return try document.indented()
    }

    private static func passkey(
        _ number: Int, _ username: String, ofUser user: Int? = nil, key: String = key
    ) -> JSONValue {
        [
            "type": "passkey", "credentialId": .text("AAA\(number)".padding()), "rpId": "example.com",
            "username": .text(username), "userDisplayName": "", "userHandle": .text("AAA\(user ?? number)".padding()),
            "key": .text(key),
        ]
    }

    // MARK: Damaged documents and passkeys that exist

    @Test("A document with a damaged passkey is refused as a whole, with its line, unless the others are asked for")
    func damaged() async throws {
        let device = try Device("bitwarden")
        let document = try Self.document(
            of: Self.passkey(1, "ada"), Self.passkey(2, "grace", key: "AAAA"), ["type": "totp"])
        let refused = try await Self.importing(document, on: device)
        #expect(refused.cause == .documentDamaged)
        #expect(refused.explanation?.contains("document:") == true)
        #expect(
            refused.explanation?.contains("accounts[0].items[0].credentials[1].key: is not a private key") == true,
            "\(refused.explanation ?? "")")
        #expect(await Self.credentials(device).isEmpty)
        // Another passkey alone is asked for by its account.
        #expect(try await Self.importing(document, ["account": "grace"], on: device).cause == .documentDamaged)
        let one = try await Self.importing(document, ["account": "ada"], on: device)
        #expect(one.answer == "1 passkey (ada at example.com); ignored: 1 of type totp")
        try await device.device.forgetPasskeys()
        let skipped = try await Self.importing(document, ["damaged": "skip"], on: device)
        #expect(
            skipped.answer?.hasPrefix(
                "1 passkey (ada at example.com); left out: grace at example.com, which is damaged: document:") == true)
        #expect(await Self.credentials(device).map(\.user.name) == ["ada"])
        // With nothing else in it, the skipped passkey leaves an act without effect.
        let alone = try Self.document(of: Self.passkey(2, "grace", key: "AAAA"))
        #expect(
            try await Self.importing(alone, ["damaged": "skip"], on: device).idleness?.contains("which is damaged")
                == true)
        let nameless = try Self.document(of: [
            "type": "passkey", "credentialId": "AQI", "rpId": "", "username": "grace", "userDisplayName": "",
            "userHandle": "AQ", "key": .text(Self.key),
        ])
        #expect(
            try await Self.importing(nameless, ["damaged": "skip"], on: device).idleness?
                .contains("grace at an unknown site, which is damaged") == true)
        #expect(try await Self.importing("{}", on: device).cause == .documentDamaged)
        #expect(try await Self.importing(document, ["account": "unknown"], on: device).cause == .noCredentials)
    }

    @Test("A passkey that the device has stays as it is, or is overwritten on request")
    func existing() async throws {
        let (phone, vault) = (try Device("iphone-face-id"), try Device("bitwarden"))
        try await phone.register(user: "ada")
        let document = try await Self.document(phone)
        #expect(try await Self.importing(document, on: vault).isDone)
        let again = try await Self.importing(document, on: vault)
        #expect(
            again.idleness
                == "no passkey is new: 0 passkeys; left out: ada at example.com, which the device already has")
        #expect(try await vault.device.renamePasskey(PasskeyFilter(), to: "countess"))
        #expect(try await Self.importing(document, ["existing": "overwrite"], on: vault).isDone)
        #expect(await Self.credentials(vault).map(\.user.name) == ["ada"])

        // The account's other passkey is not lost, either.
        let tablet = try Device("iphone-touch-id")
        try await tablet.register(user: "ada")
        let own = await Self.credentials(tablet).map(\.id)
        let kept = try await Self.importing(document, on: tablet)
        #expect(kept.idleness?.contains("for whose account the device has another passkey") == true)
        #expect(await Self.credentials(tablet).map(\.id) == own)
        #expect(try await Self.importing(document, ["existing": "overwrite"], on: tablet).isDone)
        #expect(await Self.credentials(tablet).count == 1)
        #expect(await Self.credentials(tablet).map(\.id) != own)
    }

    @Test("Of two passkeys of one account in a document the first arrives, and the report names the other")
    func twins() async throws {
        let document = try Self.document(of: Self.passkey(1, "ada"), Self.passkey(2, "bob", ofUser: 1))
        for existing in ["keep", "overwrite"] {
            let device = try Device("bitwarden")
            let result = try await Self.importing(document, ["existing": existing], on: device)
            #expect(result.answer?.contains("1 passkey") == true, "\(result.answer ?? "")")
            #expect(result.answer?.contains("bob at example.com, for whose account the document has another") == true)
            #expect(await Self.credentials(device).map(\.user.name) == ["ada"])
        }
    }

    @Test("Passkeys that do not all fit, or whose keys the device does not sign with, are not imported")
    func impossible() async throws {
        let small = try Self.device("iphone-face-id", [("capacity: 1000", "capacity: 1")])
        let document = try Self.document(of: Self.passkey(1, "ada"), Self.passkey(2, "grace"))
        #expect(try await Self.importing(document, on: small).cause == .noSpace)
        #expect(await Self.credentials(small).isEmpty)
        // An Ed25519 key (RFC 8410 §10.3).
        let edDSA = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp-K06_nwoy_HU--CXqI9EdVhC"
        let other = try Self.document(of: Self.passkey(1, "ada"), Self.passkey(2, "grace", key: edDSA))
        let refused = try await Self.importing(other, on: try Device("bitwarden"))
        #expect(refused.cause == .unsupported && refused.explanation?.contains("keys of this kind") == true)
    }

    @Test("Records of acts keep a document's length, not its keys")
    func records() throws {
        let document = try Self.document(of: Self.passkey(1, "ada"))
        let act = try DeviceAct(verb: "import-passkeys", arguments: ["document": document, "account": "ada"])
        #expect(act.recordedArguments["document"] == "\(document.utf8.count) bytes")
        #expect(act.recordedArguments["account"] == "ada")
        #expect(act.arguments["document"] == document)
    }

    @Test("A document that is longer than the format's reader takes is refused before it is read")
    func tooLong() {
        let text = String(repeating: " ", count: (8 << 20) + 1)
        let error = #expect(throws: DeviceActError.self) {
            _ = try DeviceAct(verb: "import-passkeys", arguments: ["document": text])
        }
        #expect(error?.parameter == "document")
    }
}

extension String {
    /// Letters that base64url can have.
    fileprivate func padding() -> String { self + String(repeating: "A", count: (4 - count % 4) % 4) }
}
