import CBOR
import COSE
import CTAP
import DeviceProfiles
import Foundation
import KnownKeys
import TestSupport
import Testing
import WebAuthn

@Suite("A key compared with the known key")
struct KnownKeyComparisonTests {
    static let library = KnownKeyLibrary(directory: PackageRoot.url.appending(path: "hardware/keys").path)

    /// The getInfo of a new YubiKey Bio with firmware 5.5.5, from the FIDO Metadata Service.
    static func bio() throws -> AuthenticatorInfo {
        let aaguid = try #require(AAGUID("d8522d9f-575b-4866-88a9-ba99fa02f35b"))
        var info = AuthenticatorInfo(versions: ["FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1"], aaguid: aaguid)
        info.extensions = ["credProtect", "hmac-secret", "largeBlobKey", "credBlob", "minPinLength"]
        info.options = [
            "plat": false, "rk": true, "clientPin": false, "up": true, "uv": false, "pinUvAuthToken": true,
            "largeBlobs": true, "bioEnroll": false, "userVerificationMgmtPreview": false, "authnrCfg": true,
            "credMgmt": true, "credentialMgmtPreview": true, "setMinPINLength": true, "makeCredUvNotRqd": false,
            "alwaysUv": true,
        ]
        info.maxMsgSize = 1200
        info.pinUvAuthProtocols = [2, 1]
        info.maxCredentialCountInList = 8
        info.maxCredentialIdLength = 128
        info.transports = [.usb]
        info.algorithms = [
            PublicKeyCredentialParameters(algorithm: .es256), PublicKeyCredentialParameters(algorithm: .edDSA),
        ]
        info.maxSerializedLargeBlobArray = 1024
        info.minPINLength = 4
        info.firmwareVersion = 328_965
        info.maxCredBlobLength = 32
        info.maxRPIDsForSetMinPINLength = 1
        info.preferredPlatformUvAttempts = 3
        info.uvModality = 2
        info.remainingDiscoverableCredentials = 25
        return info
    }

    static func compare(_ info: AuthenticatorInfo, usb: USBIdentity? = nil) throws -> KnownKeyComparison {
        try #require(try KnownKeyComparison.find(for: info, usb: usb, in: library))
    }

    @Test func theAnswerOfARealKeyHasNoDifference() throws {
        let comparison = try Self.compare(
            Self.bio(), usb: USBIdentity(vendorID: 0x1050, productID: 0x0402, name: "whatever"))
        #expect(comparison.key == "yubikey-bio")
        #expect(comparison.title.contains("YubiKey Bio"))
        #expect(comparison.model == "YubiKey Bio and C Bio, FIDO Edition, firmware 5.5 and 5.6")
        #expect(comparison.differences.isEmpty)
    }

    /// libfido2 issue 686: a YubiKey 5 NFC with a PIN.
    @Test func theAnswerOfAnotherRealKeyHasNoDifference() throws {
        let aaguid = try #require(AAGUID("2fc0579f-8113-47ea-b116-bb5a8db9202a"))
        var info = AuthenticatorInfo(versions: ["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE"], aaguid: aaguid)
        info.extensions = ["credProtect", "hmac-secret"]
        info.options = ["rk": true, "up": true, "plat": false, "clientPin": true, "credentialMgmtPreview": true]
        info.maxMsgSize = 1200
        info.pinUvAuthProtocols = [2, 1]
        info.maxCredentialCountInList = 8
        info.maxCredentialIdLength = 128
        info.transports = [.nfc, .usb]
        info.algorithms = [
            PublicKeyCredentialParameters(algorithm: .es256), PublicKeyCredentialParameters(algorithm: .edDSA),
        ]
        info.minPINLength = 4
        info.firmwareVersion = 0x50403
        #expect(try Self.compare(info).differences.isEmpty)
        // libfido2 PR 380 and systemd issue 28675: firmware 5.2 differs, and the file gives the reason.
        info.pinUvAuthProtocols = [1]
        info.minPINLength = nil
        info.firmwareVersion = nil
        let older = try Self.compare(info)
        #expect(older.differences.map(\.place) == ["pinUvAuthProtocols", "firmwareVersion"])
        #expect(older.differences.map(\.explanation).allSatisfy { $0?.contains("5.2") == true })
        #expect(older.unexplained.isEmpty)
    }

    /// One change in the answer, and the reported difference.
    struct Change: Sendable, CustomTestStringConvertible {
        let place: String
        let kind: InfoDifference.Kind
        let sentence: String
        let change: @Sendable (inout AuthenticatorInfo) -> Void

        init(
            _ place: String, _ kind: InfoDifference.Kind, _ sentence: String,
            _ change: @escaping @Sendable (inout AuthenticatorInfo) -> Void
        ) {
            self.place = place
            self.kind = kind
            self.sentence = sentence
            self.change = change
        }

        var testDescription: String { sentence }
    }

    @Test(arguments: [
        Change("maxMsgSize", .different, "maxMsgSize is 1024 bytes, expected 1200") { $0.maxMsgSize = 1024 },
        Change("maxMsgSize", .missing, "maxMsgSize is absent, expected 1200") { $0.maxMsgSize = nil },
        Change("versions.FIDO_2_1", .missing, "lacks the version FIDO_2_1") {
            $0.versions = ["FIDO_2_0", "FIDO_2_1_PRE"]
        },
        Change("extensions.largeBlobKey", .missing, "lacks the extension largeBlobKey") {
            $0.extensions = ["credProtect", "hmac-secret", "credBlob", "minPinLength"]
        },
        Change("extensions.uvm", .unexpected, "has the extension uvm, which is not listed for it") {
            $0.extensions?.append("uvm")
        },
        Change("transports.nfc", .unexpected, "has the transport nfc, which is not listed for it") {
            $0.transports = [.nfc, .usb]
        },
        Change("options.credMgmt", .missing, "the option credMgmt is absent, expected true") {
            $0.options?["credMgmt"] = nil
        },
        Change("options.rk", .different, "the option rk is false, expected true") { $0.options?["rk"] = false },
        Change("options.bioEnroll", .missing, "the option bioEnroll is absent, expected true or false") {
            $0.options?["bioEnroll"] = nil
        },
        Change("options.ep", .unexpected, "has the option ep (false), which is not listed for it") {
            $0.options?["ep"] = false
        },
        Change("pinUvAuthProtocols", .different, "pinUvAuthProtocols is 1, 2, expected 2, 1") {
            $0.pinUvAuthProtocols = [1, 2]
        },
        Change("algorithms", .different, "algorithms is ES256, expected ES256, EdDSA") {
            $0.algorithms = [PublicKeyCredentialParameters(algorithm: .es256)]
        },
        Change(
            "firmwareVersion", .different,
            "firmwareVersion is 0x050800 (5.8.0), expected 0x050500 (5.5.0) to 0x0506FF (329471)"
        ) { $0.firmwareVersion = 0x050800 },
        Change("uvModality", .different, "uvModality is 0x10 (face), expected 2") { $0.uvModality = 0x10 },
        Change(
            "remainingDiscoverableCredentials", .different,
            "remainingDiscoverableCredentials is 26, expected 0 to 25"
        ) { $0.remainingDiscoverableCredentials = 26 },
        Change("minPINLength", .different, "minPINLength is 3 characters, expected 4") { $0.minPINLength = 3 },
        Change(
            "certifications", .unexpected, "has the member certifications (FIDO level 2), which is not listed for it"
        ) {
            $0.certifications = ["FIDO": 2]
        },
        Change("encIdentifier", .unexpected, "has the member encIdentifier (ff), which is not listed for it") {
            $0.encIdentifier = [0xFF]
        },
    ])
    func aDifferenceIsReportedInWords(change: Change) throws {
        var info = try Self.bio()
        change.change(&info)
        let comparison = try Self.compare(info)
        let difference = try #require(comparison.differences.first)
        #expect(comparison.differences.count == 1)
        #expect(difference.place == change.place)
        #expect(difference.kind == change.kind)
        #expect(difference.sentence == change.sentence)
        #expect((difference.expected == nil) == (change.kind == .unexpected))
        #expect((difference.found == nil) == (change.kind == .missing))
        #expect(difference.explanation == nil)
    }

    @Test(arguments: [
        Change("", .different, "a PIN and fingers") {
            $0.options?["clientPin"] = true
            $0.options?["uv"] = true
            $0.options?["bioEnroll"] = true
            $0.options?["userVerificationMgmtPreview"] = true
        },
        Change("", .different, "a PIN that must be changed") { $0.forcePINChange = true },
        Change("", .different, "a longer minimum") { $0.minPINLength = 8 },
        Change("", .different, "passkeys") { $0.remainingDiscoverableCredentials = 3 },
        Change("", .different, "the default minimum") { $0.minPINLength = nil },
        Change("", .different, "an option it lacks, spelt out") { $0.options?["uvAcfg"] = false },
        Change("", .different, "defaults left out") { $0.options?["plat"] = nil },
        Change("", .different, "another order where order has no meaning") {
            $0.versions.reverse()
            $0.extensions?.reverse()
        },
    ])
    func theSetupOfAKeyIsNoDifference(change: Change) throws {
        var info = try Self.bio()
        change.change(&info)
        #expect(try Self.compare(info).differences.map(\.sentence) == [])
    }

    @Test func aKeyThatNoLongerAlwaysVerifiesIsExplained() throws {
        var info = try Self.bio()
        info.options?["alwaysUv"] = false
        info.options?["makeCredUvNotRqd"] = true
        // U2F comes back with it.
        info.versions.append("U2F_V2")
        let comparison = try Self.compare(info)
        #expect(comparison.differences.map(\.place) == ["options.alwaysUv", "options.makeCredUvNotRqd"])
        #expect(comparison.differences.first?.sentence == "the option alwaysUv is false, expected true")
        #expect(comparison.differences.first?.explanation == "the user can turn it off")
        #expect(comparison.unexplained.isEmpty)
        info.versions = ["FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1"]
        #expect(try Self.compare(info).unexplained.map(\.sentence) == ["lacks the version U2F_V2"])
    }

    @Test func alwaysUvTurnsOtherOptionsOff() throws {
        let key = try Self.library.key(named: "opensk")
        let answer: CBOR.Value = [
            1: ["FIDO_2_0", "FIDO_2_1"], 3: .bytes([UInt8](repeating: 0, count: 16)),
            4: ["alwaysUv": true, "makeCredUvNotRqd": false],
        ]
        let places = try KnownKeyComparison(of: answer, with: key).differences.map(\.place)
        #expect(!places.contains("versions.U2F_V2"))
        #expect(!places.contains("options.makeCredUvNotRqd"))
        #expect(places.contains("options.credMgmt"))
    }

    @Test func valuesOfAWrongTypeAndUnknownMembersAreDifferences() throws {
        guard case .map(var map) = try Self.bio().cbor else { return }
        map[5] = "long"
        map[1] = 7
        map[4] = [true]
        map[0x20] = 1
        map["odd"] = 2
        let key = try Self.library.key(named: "yubikey-bio")
        let sentences = try KnownKeyComparison(of: .map(map), with: key).differences.map(\.sentence)
        #expect(sentences.contains("maxMsgSize is \"long\", expected 1200"))
        #expect(sentences.contains("versions is 7, expected FIDO_2_0, FIDO_2_1, FIDO_2_1_PRE, U2F_V2"))
        #expect(sentences.contains("the option rk is absent, expected true"))
        #expect(sentences.contains("has the member 0x20, which no specification names"))
        #expect(sentences.contains("has the member \"odd\", which no specification names"))
        #expect(throws: CBOR.AccessError.self) { try KnownKeyComparison(of: 1, with: key) }
    }

    @Test func anotherUSBIDIsADifference() throws {
        let comparison = try Self.compare(
            Self.bio(), usb: USBIdentity(vendorID: 0x1050, productID: 0x0120, name: "Security Key by Yubico"))
        #expect(comparison.differences.map(\.place) == ["usb"])
        #expect(comparison.differences.first?.sentence == "its USB ID is 1050:0120, expected 1050:0402")
        #expect(comparison.unexplained.isEmpty)
        let titan = try Self.library.key(named: "titan-v2")
        let other = try KnownKeyComparison(
            of: Self.bio().cbor, usb: USBIdentity(vendorID: 0x18D1, productID: 0x5026, name: ""), with: titan)
        #expect(other.unexplained.contains { $0.place == "usb" })
    }

    @Test func unconfirmedValuesAreExplained() throws {
        let key = try Self.library.key(named: "yubikey-5-nfc-5.7")
        let info = AuthenticatorInfo(versions: ["FIDO_2_1"], aaguid: .zero)
        let comparison = try KnownKeyComparison(of: info.cbor, with: key)
        let size = try #require(comparison.differences.first { $0.place == "maxMsgSize" })
        #expect(size.explanation == "no public source confirms the expected value")
        #expect(comparison.unexplained.contains { $0.place == "versions.FIDO_2_0" })
        #expect(comparison.model == nil)
    }

    @Test func anUnknownKeyHasNoComparison() throws {
        let info = AuthenticatorInfo(versions: ["FIDO_2_0"], aaguid: .zero)
        #expect(try KnownKeyComparison.find(for: info, in: Self.library) == nil)
        let solo = USBIdentity(vendorID: 0x1209, productID: 0xBEEE, name: "SoloKeys Solo 2")
        #expect(try KnownKeyComparison.find(for: info, usb: solo, in: Self.library)?.key == "solo-2")
    }

    @Test func jsonHoldsTheComparison() throws {
        var info = try Self.bio()
        info.maxMsgSize = 1024
        let comparison = try Self.compare(info)
        let data = try JSONEncoder().encode(comparison)
        #expect(try JSONDecoder().decode(KnownKeyComparison.self, from: data) == comparison)
    }
}

extension KnownKeyComparison {
    fileprivate var unexplained: [InfoDifference] { differences.filter { $0.explanation == nil } }
}
