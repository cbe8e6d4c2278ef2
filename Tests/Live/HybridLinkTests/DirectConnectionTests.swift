import CBOR
import COSE
import CTAP
import CTAPHybrid
import Causes
import DeviceProfiles
import Faults
import Foundation
import HybridLink
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// A phone and a computer that meet without a radio, on simulated time.
struct DirectConnectionTests {
    /// A phone, and the client of a computer whose code it scans.
    private struct Room {
        let device: SimulatedDevice
        let person: ControlledUser
        let clock: SimulatedClock
        static let origin = "https://example.org"

        init(_ profile: String) throws {
            let clock = SimulatedClock()
            let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
            person = ControlledUser(habit: .auto) { clock.advance(to: $0) }
            device = try SimulatedDevice(
                profile: try library.profile(profile), time: clock, random: SystemRandomSource(), user: person)
            self.clock = clock
        }

        func connection(_ operation: QROperation = .getAssertion) -> DirectConnection {
            DirectConnection(
                device, route: device.ctap(over: .hybrid), operation: operation,
                surroundings: .init(now: clock.now, randomBytes: SystemRandomSource().bytes) { [clock] in
                    clock.advance(by: $0)
                })
        }

        /// The client of the phone's own pages.
        var own: WebAuthnClient { device.client(over: device.ctap, pins: PINScript(), random: SystemRandomSource()) }

        /// The client of a computer that shows a code.
        var computer: WebAuthnClient {
            WebAuthnClient(device: connection(), attachment: .crossPlatform, environment: own.environment)
        }

        func create(_ client: WebAuthnClient) async throws -> ClientExtensionResults {
            let options = """
                {"rp": {"name": "x"}, "user": {"id": "AQ", "name": "a", "displayName": "A"}, "challenge": "AAAA",
                 "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
                 "authenticatorSelection": {"residentKey": "required", "userVerification": "required"},
                 "extensions": {"prf": {"eval": {"first": "AQID", "second": "BA"}}}}
                """
            return try await client.create(
                try JSONDecoder().decode(CreationOptions.self, from: Data(options.utf8)),
                origin: try Origin(parsing: Self.origin)
            ).clientExtensionResults
        }

        func get(_ client: WebAuthnClient) async throws -> ClientExtensionResults {
            let options = """
                {"challenge": "AAAA", "userVerification": "required",
                 "extensions": {"prf": {"eval": {"first": "AQID", "second": "BA"}}}}
                """
            return try await client.get(
                try JSONDecoder().decode(RequestOptions.self, from: Data(options.utf8)),
                origin: try Origin(parsing: Self.origin)
            ).clientExtensionResults
        }
    }

    private static let iPhone: CBOR.Value = [
        1: ["FIDO_2_0"], 4: ["rk": true, "uv": true], 9: ["internal", "hybrid"],
    ]
    private static let pixel: CBOR.Value = [
        1: ["FIDO_2_0", "FIDO_2_1"], 2: ["prf"], 4: ["rk": true, "uv": true], 9: ["cable", "hybrid", "internal"],
    ]

    @Test(
        "A phone's getInfo over hybrid is that of real phones",
        arguments: [("iphone-face-id", iPhone, false), ("pixel-fingerprint", pixel, true)])
    func info(profile: String, members: CBOR.Value, hidesAAGUID: Bool) async throws {
        let room = try Room(profile)
        let answer = try await room.connection().transceive([4])
        var info = try CBOR.decode(Array(answer.dropFirst())).asMap("")
        let aaguid = hidesAAGUID ? AAGUID.zero : room.device.profile.authenticator.aaguid
        #expect(info[3] == .bytes(aaguid.bytes))
        info[3] = nil
        #expect(.map(info) == members)
    }

    @Test("prf has the same results over hybrid as at the phone's own pages, which use hmac-secret")
    func prf() async throws {
        let room = try Room("pixel-fingerprint")
        let made = try await room.create(room.computer)
        #expect(made.prf?.enabled == true)
        let results = try #require(made.prf?.results)
        #expect(results.first.bytes.count == 32 && results.second?.bytes.count == 32)
        #expect(try await room.get(room.computer).prf?.results == results)
        #expect(try await room.get(room.own).prf?.results == results)
    }

    @Test("prf's inputs for a named credential come before those for all")
    func prfByCredential() async throws {
        let room = try Room("pixel-fingerprint")
        _ = try await room.create(room.computer)
        let id = try #require(await room.device.authenticator.keptCredentials.first?.id)
        func results(_ prf: CBOR.Value) async throws -> CBOR.Value? {
            let request = GetAssertionRequest(
                relyingPartyID: "example.org", clientDataHash: [UInt8](repeating: 7, count: 32),
                allowList: [PublicKeyCredentialDescriptor(id: id)], extensions: ["prf": prf], options: ["uv": true])
            let message = [CTAPCommand.getAssertion.rawValue] + CBOR.encode(request.cbor)
            let answer = try await room.connection().transceive(message)
            #expect(answer.first == 0)
            let map = try CBOR.decode(Array(answer.dropFirst()), options: .lenient).asMap("")
            return try map[8]?.asMap("")["prf"]
        }
        let (one, two) = (
            CBOR.Value.bytes([UInt8](repeating: 1, count: 32)), CBOR.Value.bytes([UInt8](repeating: 2, count: 32))
        )
        let first = try #require(try await results(["eval": ["first": one]]))
        let other = try #require(try await results(["eval": ["first": two]]))
        #expect(first != other)
        let named = CBOR.Value.map(CBOR.Map(uncheckedEntries: [(.bytes(id), ["first": two])]))
        #expect(try await results(["eval": ["first": one], "evalByCredential": named]) == other)
        let foreign = CBOR.Value.map(CBOR.Map(uncheckedEntries: [(.bytes([9]), ["first": two])]))
        #expect(try await results(["eval": ["first": one], "evalByCredential": foreign]) == first)
    }

    @Test("An iPhone has no prf over hybrid")
    func noPRF() async throws {
        let room = try Room("iphone-face-id")
        let made = try await room.create(room.computer)
        #expect(made.prf?.enabled == false && made.prf?.results == nil)
    }

    private static func makeCredential(_ prf: CBOR.Value, uv: Bool) -> [UInt8] {
        let request = MakeCredentialRequest(
            clientDataHash: [UInt8](repeating: 7, count: 32), rp: .init(id: "example.org"), user: .init(id: [1]),
            pubKeyCredParams: [.init(algorithm: .es256)], extensions: ["prf": prf], options: ["rk": true, "uv": uv])
        return [CTAPCommand.makeCredential.rawValue] + CBOR.encode(request.cbor)
    }

    private static let damaged: [(CBOR.Value, CTAPStatus)] = {
        let salt = CBOR.Value.bytes([UInt8](repeating: 1, count: 32))
        let short = CBOR.Value.bytes([UInt8](repeating: 1, count: 31))
        return [
            (["eval": ["first": short]], .invalidLength), (["eval": ["second": salt]], .missingParameter),
            (["eval": 1], .cborUnexpectedType), (1, .cborUnexpectedType),
        ]
    }()

    @Test("Salts of another length and type are refused with their status", arguments: damaged)
    func damagedSalts(input: CBOR.Value, status: CTAPStatus) async throws {
        let room = try Room("pixel-fingerprint")
        let answer = try await room.connection(.makeCredential).transceive(Self.makeCredential(input, uv: true))
        #expect(answer.first == status.rawValue)
    }

    @Test("A phone answers the commands of ceremonies only")
    func commands() async throws {
        let room = try Room("iphone-face-id")
        for command in [CTAPCommand.clientPIN, .reset, .credentialManagement, .largeBlobs] {
            let answer = try await room.connection().transceive([command.rawValue])
            #expect(answer == [CTAPStatus.invalidCommand.rawValue], "\(command)")
        }
    }

    @Test("A computer without an answer gives up after five minutes, and says in which stage")
    func patience() async throws {
        let room = try Room("iphone-face-id")
        try await room.device.arm(try Fault(parsing: "answer-missing"))
        let before = room.clock.now()
        let connection = room.connection()
        await #expect(throws: CTAPDeviceError.self) {
            try await connection.transceive(Self.makeCredential(["eval": [:]], uv: true))
        }
        #expect(room.clock.now() - before >= DirectConnection.patience)
        #expect(await connection.failure?.cause == .phoneSilent)
        #expect(await connection.failure?.explanation.contains("\"command\"") == true)
    }

    @Test("times counts the connections of a fault")
    func times() async throws {
        let room = try Room("iphone-face-id")
        try await room.device.arm(try Fault(parsing: "out-of-range"), times: 2)
        for _ in 0..<2 { await #expect(throws: CTAPDeviceError.self) { try await room.connection().transceive([4]) } }
        #expect(await room.device.armedFaults == [])
        #expect(try await room.connection().transceive([4]).first == 0)
    }

    @Test("A security key and a computer have no faults of scans", arguments: ["solo-2", "macbook-touch-id"])
    func devicesThatDoNotScan(profile: String) async throws {
        let room = try Room(profile)
        await #expect(throws: DeviceRefusal.self) { try await room.device.arm(try Fault(parsing: "out-of-range")) }
    }
}
