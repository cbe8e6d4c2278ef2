import DeviceProfiles
import Documents
import Foundation
import KnownKeys
import TestSupport
import Testing
import WebAuthn

@Suite("Data files of known keys")
struct KnownKeyParsingTests {
    static let good = """
        name: test
        title: A test
        maker: Example
        aaguids:
          - { aaguid: 01020304-0506-0708-0102-030405060708, model: "Test, firmware 1" }
        usb:
          - { vendor: 0x1234, product: 0x0001, name: Example Test }
        nfc: true
        get-info:
          versions: [FIDO_2_0, U2F_V2]
          options: { rk: true, clientPin: any, alwaysUv: any }
          maxMsgSize: 1200
          algorithms: [ES256, EdDSA]
          firmwareVersion: { from: 0x010000, to: 0x01FFFF }
          certifications: { FIDO: 1 }
          encIdentifier: any
          pinComplexityPolicyURL: https://a.example
        limits: { pin-retries: 8, uv-retries: 3, credentials: 25, touch-timeout: 30 s, reset-window: 10 s }
        quirks:
          - { says: It is slow., source: a report }
        varies:
          - { place: options.alwaysUv, because: early ones do not have it }
        virtual:
          - { place: maxMsgSize, because: it cannot }
        unverified: [limits.credentials]
        sources: [somewhere]
        """

    @Test func aGoodFileIsReadInFull() throws {
        let key = try KnownKey(parsing: Self.good, file: "k.yaml")
        #expect(key.name == "test")
        #expect(key.title == "A test")
        #expect(key.maker == "Example")
        let aaguid = try #require(AAGUID("01020304-0506-0708-0102-030405060708"))
        #expect(key.model(aaguid)?.name == "Test, firmware 1")
        #expect(key.model(.zero) == nil)
        #expect(key.usb == [USBIdentity(vendorID: 0x1234, productID: 1, name: "Example Test")])
        #expect(key.hasNFC)
        #expect(key.info.versions == ["FIDO_2_0", "U2F_V2"])
        #expect(key.info.extensions.isEmpty)
        #expect(key.info.firmware == 0x010000...0x01FFFF)
        #expect(key.limits.pinRetries == 8)
        #expect(key.limits.uvRetries == 3)
        #expect(key.limits.discoverableCredentials == 25)
        #expect(key.limits.touchTimeout == .seconds(30))
        #expect(key.limits.resetWindow == .seconds(10))
        #expect(key.quirks.map(\.summary) == ["It is slow."])
        #expect(key.quirks.map(\.source) == ["a report"])
        #expect(key.exceptions.map(\.place) == ["options.alwaysUv"])
        #expect(key.virtualExceptions.map(\.reason) == ["it cannot"])
        #expect(key.unverified == ["limits.credentials"])
        #expect(key.sources == ["somewhere"])
    }

    @Test(arguments: [
        ("title: A test", "titel: A test", 2, "unknown key titel; expected one of"),
        ("title: A test", "title: [A]", 2, "title: expected text, found a list"),
        ("maker: Example\n", "", 1, "maker is missing"),
        ("nfc: true", "nfc: maybe", 8, "nfc: expected true or false"),
        ("-0102-030405060708", "-0102-0304", 5, "aaguids[0].aaguid: expected an AAGUID"),
        ("model: \"Test, firmware 1\"", "modell: x", 5, "unknown key modell in aaguids[0]"),
        (
            "usb:\n",
            "  - { aaguid: 01020304-0506-0708-0102-030405060708, model: again }\nusb:\n", 6, "is listed twice"
        ),
        ("vendor: 0x1234", "vendor: 0x12345", 7, "usb[0].vendor: expected 1 to 65535, found 0x12345"),
        ("  versions: [FIDO_2_0, U2F_V2]\n", "", 10, "get-info: versions is missing"),
        ("maxMsgSize: 1200", "maxMessageSize: 1200", 12, "getInfo has no member maxMessageSize"),
        ("maxMsgSize: 1200", "maxMsgSize: many", 12, "maxMsgSize: expected a whole number"),
        ("maxMsgSize: 1200", "aaguid: any", 12, "list the AAGUIDs in aaguids"),
        ("rk: true", "rkk: true", 11, "getInfo has no option rkk"),
        ("rk: true", "rk: often", 11, "options.rk: expected true or false, found \"often\""),
        ("clientPin: any", "clientPin: false", 11, "the value depends on the key's setup; write any"),
        ("[ES256, EdDSA]", "[ES256, RS1024]", 13, "algorithms[1]: unknown algorithm \"RS1024\""),
        ("to: 0x01FFFF", "to: 0x00FFFF", 14, "firmwareVersion: from is greater than to"),
        ("to: 0x01FFFF", "too: 1", 14, "unknown key too in get-info.firmwareVersion"),
        ("FIDO: 1", "FIDO: one", 15, "certifications.FIDO: expected a whole number"),
        ("encIdentifier: any", "encIdentifier: abcd", 16, "the value differs in every key; write any"),
        ("pin-retries: 8", "pin-retries: 9", 18, "limits.pin-retries: expected 1 to 8, found 9"),
        ("touch-timeout: 30 s", "touch-timeout: 30", 18, "expected a span"),
        ("says: It is slow., ", "", 20, "quirks[0]: says is missing"),
        ("place: options.alwaysUv", "place: options", 22, "varies[0].place: expected a member of getInfo"),
        ("place: options.alwaysUv", "place: maxMsgSize.1", 22, "expected a member of getInfo"),
        ("place: options.alwaysUv", "place: colour", 22, "expected a member of getInfo"),
        (", because: it cannot", "", 24, "virtual[0]: because is missing"),
        ("sources: [somewhere]", "sources: []", 26, "sources is empty; name at least one"),
        ("sources: [somewhere]", "", 1, "sources is missing"),
    ])
    func aMistakeIsReportedWithItsLine(old: String, new: String, line: Int, says: String) throws {
        try #require(Self.good.contains(old))
        let text = Self.good.replacingOccurrences(of: old, with: new)
        let error = #expect(throws: SourceError.self) { try KnownKey(parsing: text, file: "k.yaml") }
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
        #expect(error?.line == line, "\(String(describing: error))")
        #expect(error?.file == "k.yaml")
    }

    // MARK: Libraries

    private static func inLibrary(_ files: [String: String], _ body: (KnownKeyLibrary) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        try body(KnownKeyLibrary(directory: directory.path))
    }

    @Test func keysAreFoundByNameAAGUIDAndUSBID() throws {
        let noAAGUID = Self.good.replacingOccurrences(of: "name: test", with: "name: other")
            .replacingOccurrences(
                of: "\n  - { aaguid: 01020304-0506-0708-0102-030405060708, model: \"Test, firmware 1\" }", with: " []"
            )
            .replacingOccurrences(of: "product: 0x0001", with: "product: 0x0002")
        try Self.inLibrary(["test.yaml": Self.good, "other.yaml": noAAGUID, "notes.txt": "no key"]) { library in
            #expect(try library.keys().map(\.name) == ["other", "test"])
            #expect(try library.key(named: "test").title == "A test")
            let aaguid = try #require(AAGUID("01020304-0506-0708-0102-030405060708"))
            #expect(try library.key(with: aaguid)?.name == "test")
            #expect(try library.key(with: .zero) == nil)
            // A USB ID is enough only where no AAGUID is known: makers give one ID to many products.
            let usb = USBIdentity(vendorID: 0x1234, productID: 2, name: "")
            #expect(try library.key(with: .zero, usb: usb)?.name == "other")
            #expect(
                try library.key(with: .zero, usb: USBIdentity(vendorID: 0x1234, productID: 1, name: "")) == nil)
            #expect(try library.key(with: aaguid, usb: usb)?.name == "test")
            let error = #expect(throws: SourceError.self) { try library.key(named: "nokia") }
            #expect(error?.message == "unknown key \"nokia\"; choose one of other, test")
        }
    }

    @Test func anAAGUIDBelongsToOneKey() throws {
        let twin = Self.good.replacingOccurrences(of: "name: test", with: "name: twin")
        try Self.inLibrary(["test.yaml": Self.good, "twin.yaml": twin]) { library in
            let error = #expect(throws: SourceError.self) { try library.keys() }
            #expect(error?.message == "the AAGUID 01020304-0506-0708-0102-030405060708 belongs to test already")
            #expect(error?.file.hasSuffix("/twin.yaml") == true)
        }
    }

    @Test func aFileHasTheNameOfItsKey() throws {
        try Self.inLibrary(["other.yaml": Self.good]) { library in
            let error = #expect(throws: SourceError.self) { try library.keys() }
            #expect(error?.message == "the file is named other, but its key is named test")
        }
        let nowhere = KnownKeyLibrary(directory: "/nowhere/at/all")
        #expect(throws: SourceError(file: "/nowhere/at/all", line: nil, message: "the directory cannot be read")) {
            try nowhere.keys()
        }
    }
}
