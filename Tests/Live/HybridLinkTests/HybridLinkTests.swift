import Biometrics
import CBOR
import COSE
import CTAP
import CTAPHybrid
import DeviceProfiles
import Foundation
import HybridLink
import HybridTunnel
import ProfileFiles
import Radio
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// Both ends of hybrid connections, on a radio in this process and a tunnel service on loopback.
struct HybridLinkTests {
    /// A simulated phone, its radio and its tunnel service.
    private struct Room {
        let device: SimulatedDevice
        let person: ControlledUser
        let service: TunnelService
        /// The way of the other end.
        let way: HybridWay
        private let phoneWay: HybridWay

        /// A way whose radio hears nothing, and stops at once.
        var wayWithoutRadio: HybridWay { HybridWay(radio: StoppedRadio(), tunnel: way.tunnel) }

        private struct StoppedRadio: AdvertChannel {
            func broadcast(_ advert: Advert) async throws(RadioError) -> AdvertBroadcast { throw .closed }

            func adverts() async throws(RadioError) -> AsyncStream<Advert> { AsyncStream { $0.finish() } }
        }

        init(_ profile: String) async throws {
            let clock = SimulatedClock()
            person = ControlledUser(habit: .auto) { clock.advance(to: $0) }
            let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
            device = try SimulatedDevice(
                profile: try library.profile(profile), time: clock, random: SystemRandomSource(), user: person)
            let authority = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
            service = try await TunnelService.start(authority: authority, random: SystemRandomSource().bytes)
            let air = SimulatedAir(
                environment: RadioEnvironment(
                    sleep: { _ in for await _ in AsyncStream<Never>.makeStream().stream {} },
                    generator: SystemRandomNumberGenerator()))
            way = HybridWay(radio: air.radio(), tunnel: TunnelClient(to: service))
            phoneWay = HybridWay(radio: air.radio(), tunnel: TunnelClient(to: service))
        }

        /// The phone scans a code.
        func scan(
            _ code: QRContents, faults: [HybridFault] = []
        ) async throws -> HybridEnd {
            let phone = device.ctap(over: .hybrid)
            var configuration = PhoneConfiguration(info: Array(try await phone.transceive([4]).dropFirst()))
            configuration.faults = HybridFaults(faults)
            return try await PhoneConnection.run(
                scanned: code, as: configuration, device: phone, way: phoneWay, randomBytes: SystemRandomSource().bytes,
                pass: { _ in })
        }

        static func code(_ operation: QROperation = .getAssertion) throws -> ScannedPhone.Code {
            try #require(
                ScannedPhone.Code(operation: operation, now: 1_800_000_000, randomBytes: SystemRandomSource().bytes))
        }
    }

    private static func with(_ profile: String, _ use: (Room) async throws -> Void) async throws {
        let room = try await Room(profile)
        do {
            try await use(room)
        } catch {
            await room.service.stop()
            throw error
        }
        await room.service.stop()
    }

    private static let hash = [UInt8](repeating: 7, count: 32)

    private static func register(with phone: ScannedPhone) async throws -> MakeCredentialResponse {
        try await AuthenticatorClient(phone).makeCredential(
            MakeCredentialRequest(
                clientDataHash: hash, rp: .init(id: "example.org"), user: .init(id: [1]),
                pubKeyCredParams: [.init(algorithm: .es256)], options: ["rk": true, "uv": true]))
    }

    @Test("A registration over hybrid is one command, after which the phone ends the connection")
    func registers() async throws {
        try await Self.with("iphone-face-id") { room in
            let code = try Room.code(.makeCredential)
            async let end = room.scan(code.contents)
            let phone = try await ScannedPhone.connect(code, way: room.way)
            let info = try await AuthenticatorClient(phone).getInfo()
            #expect(info.option(.plat) == nil && info.option(.uv) == true && info.pinUvAuthProtocols == nil)
            let response = try await Self.register(with: phone)
            let data = try AuthenticatorData(parsing: response.authenticatorData)
            #expect(data.flags.isSuperset(of: [.userPresent, .userVerified]))
            #expect(try await end == .finished)
            await #expect(throws: CTAPDeviceError.self) { try await phone.transceive([2]) }
        }
    }

    @Test("A face that does not match, twice, and then the passcode: the other end gets an assertion")
    func signsIn() async throws {
        try await Self.with("iphone-face-id") { room in
            let made = try await Self.connected(room, .makeCredential) { try await Self.register(with: $0) }
            #expect(made.end == .finished)
            await room.person.tell(.gate(.nonMatch))
            await room.person.tell(.gate(.nonMatch))
            await room.person.tell(.gate(.passcode(correct: true)))
            let signed = try await Self.connected(room) { phone in
                try await AuthenticatorClient(phone).getAssertion(
                    GetAssertionRequest(
                        relyingPartyID: "example.org", clientDataHash: Self.hash, options: ["uv": true]))
            }
            #expect(try AuthenticatorData(parsing: signed.result.authenticatorData).flags.contains(.userVerified))
            #expect(signed.end == .finished)
        }
    }

    @Test("A user who declines ends the request with OPERATION_DENIED at the other end")
    func declines() async throws {
        try await Self.with("iphone-face-id") { room in
            await room.person.tell(.gate(.cancelByUser))
            let answer = try await Self.connected(room, .makeCredential) { phone in
                await #expect(throws: AuthenticatorClient.Failure.self) { try await Self.register(with: phone) }
            }
            #expect(answer.end == .finished)
        }
    }

    @Test("The end of the other end's request takes the prompt away from the phone")
    func cancels() async throws {
        try await Self.with("iphone-face-id") { room in
            let (prompts, prompted) = AsyncStream.makeStream(of: Void.self)
            await room.person.interrupt {
                prompted.yield()
                let (wait, _) = AsyncStream.makeStream(of: Never.self)
                for await _ in wait {}
            }
            let cancelled = try await Self.connected(room, .makeCredential) { phone in
                let request = Task { try await Self.register(with: phone) }
                for await _ in prompts { break }
                request.cancel()
                await #expect(throws: AuthenticatorClient.Failure.self) { try await request.value }
            }
            #expect(cancelled.end == .shutdown)
        }
    }

    /// A fault, and the ends of the phone and of the other end.
    struct FaultRow: Sendable, CustomTestStringConvertible {
        let fault: HybridFault
        /// Whether the other end gets a connection.
        let connects: Bool
        let phone: HybridEnd?

        var testDescription: String { "\(fault)" }
    }

    static let faults = [
        FaultRow(fault: .preSharedKeyWrong, connects: false, phone: .refused(.handshake(.decryptionFailed))),
        FaultRow(fault: .handshakeLength(1), connects: false, phone: nil),
        FaultRow(fault: .handshakeCorrupted, connects: false, phone: nil),
        FaultRow(fault: .firstMessageMalformed, connects: false, phone: nil),
        FaultRow(fault: .tunnelDropped(.firstMessage), connects: false, phone: .tunnelClosed(.firstMessage)),
        FaultRow(fault: .answerCorrupted, connects: true, phone: .finished),
        FaultRow(fault: .answerShutdown, connects: true, phone: .finished),
        FaultRow(fault: .tunnelDropped(.command), connects: true, phone: .tunnelClosed(.command)),
    ]

    @Test("A fault of the phone ends both sides", arguments: faults)
    func faulty(row: FaultRow) async throws {
        try await Self.with("iphone-face-id") { room in
            let code = try Room.code(.makeCredential)
            async let end = room.scan(code.contents, faults: [row.fault])
            do {
                let phone = try await ScannedPhone.connect(code, way: room.way)
                #expect(row.connects)
                await #expect(throws: AuthenticatorClient.Failure.self) { try await Self.register(with: phone) }
            } catch is CTAPDeviceError {
                #expect(!row.connects)
            }
            let seen = try await end
            if let expected = row.phone { #expect(seen == expected) }
        }
    }

    @Test("A phone whose advert is for another code is not found, and the other end waits until it is cancelled")
    func notFound() async throws {
        try await Self.with("iphone-face-id") { room in
            let code = try Room.code()
            let (actions, seen) = AsyncStream.makeStream(of: HybridInitiator.Action.self)
            let phone = Task { try await room.scan(code.contents, faults: [.eidKeyWrong]) }
            let other = Task { try await ScannedPhone.connect(code, way: room.way, note: { seen.yield($0) }) }
            var ignored: HybridInitiator.Action?
            for await action in actions {
                ignored = action
                break
            }
            #expect(ignored == .ignore(.advert(.foreign)))
            other.cancel()
            phone.cancel()
            await #expect(throws: (any Error).self) { try await other.value }
            #expect(try await phone.value == .cancelled)
        }
    }

    @Test("The other end says that the radio has stopped")
    func radioStops() async throws {
        try await Self.with("iphone-face-id") { room in
            let code = try Room.code()
            let other = Task { try await ScannedPhone.connect(code, way: room.wayWithoutRadio) }
            let error = await #expect(throws: CTAPDeviceError.self) { try await other.value }
            #expect(error?.detail.contains("the radio has stopped") == true)
        }
    }

    @Test(
        "A tunnel service that refuses the other end is named",
        arguments: [
            (TunnelFault.refuses(status: 400), 400), (.refuses(status: 302, location: "https://example.org/"), 302),
        ])
    func refusedTunnel(fault: TunnelFault, status: Int) async throws {
        try await Self.with("iphone-face-id") { room in
            let code = try Room.code()
            room.service.arm([fault], in: KeyPurpose.tunnelID.derive(from: code.contents.secret))
            let phone = Task { try await room.scan(code.contents) }
            let error = await #expect(throws: CTAPDeviceError.self) {
                try await ScannedPhone.connect(code, way: room.way)
            }
            #expect(error?.detail.contains("\(status)") == true)
            phone.cancel()
            #expect(try await phone.value == .cancelled)
        }
    }

    /// A use of a new connection, and the phone's end of it.
    private static func connected<Result: Sendable>(
        _ room: Room, _ operation: QROperation = .getAssertion, _ use: (ScannedPhone) async throws -> Result
    ) async throws -> (result: Result, end: HybridEnd) {
        let code = try Room.code(operation)
        async let end = room.scan(code.contents)
        let phone = try await ScannedPhone.connect(code, way: room.way)
        let result = try await use(phone)
        return (result, try await end)
    }
}
