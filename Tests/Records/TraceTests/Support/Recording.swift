import Biometrics
import CTAP
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import Trace
import VirtualAuthenticator

/// A trace kept in memory.
final class Recording: Sendable {
    private let list = Mutex<[TraceRecord]>([])

    var records: [TraceRecord] { list.withLock { $0 } }

    func recorder(keepsSecrets: Bool = false) -> TraceRecorder {
        TraceRecorder(keepsSecrets: keepsSecrets, onRecord: add)
    }

    @Sendable func add(_ record: TraceRecord) {
        list.withLock { $0.append(record) }
    }

    var contents: [TraceRecord.Content] { records.map(\.content) }

    var requests: [TraceRequest] {
        contents.compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    var responses: [TraceResponse] {
        contents.compactMap { if case .response(let response) = $0 { response } else { nil } }
    }

    /// Every rendering of a trace: its lines, the conversation and the reports.
    static func everything(_ records: [TraceRecord], showsSecrets: Bool = false) throws -> String {
        let lines = try records.map { String(decoding: try TraceLine.encode($0), as: UTF8.self) }
        return lines.joined(separator: "\n") + Conversation(showsSecrets: showsSecrets).text(records)
            + TraceReport.markdown(records) + (try TraceReport.json(records))
    }
}

/// A device whose answers the test gives.
struct Puppet: CTAPDevice {
    typealias Play =
        @Sendable ([UInt8], @Sendable (KeepaliveStatus) -> Void) async throws(CTAPDeviceError) -> [UInt8]

    let play: Play

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await play(message, onKeepalive)
    }
}

/// The records of one exchange: the request and the answer.
func exchange(
    _ request: [UInt8], _ answer: [UInt8] = [0], keepsSecrets: Bool = false
) async throws -> [TraceRecord] {
    let recording = Recording()
    let trace = recording.recorder(keepsSecrets: keepsSecrets).device("key", now: { .seconds(1) })
    let device = trace.traced(Puppet { _, _ in answer })
    #expect(try await device.transceive(request) == answer)
    return recording.records
}

/// A request as recorded.
func request(_ bytes: [UInt8], keepsSecrets: Bool = false) async throws -> TraceRequest {
    for record in try await exchange(bytes, keepsSecrets: keepsSecrets) {
        if case .request(let request) = record.content { return request }
    }
    return try #require(nil, "no request was recorded")
}

/// An answer as recorded.
func response(_ bytes: [UInt8], to command: UInt8, keepsSecrets: Bool = false) async throws -> TraceResponse {
    for record in try await exchange([command], bytes, keepsSecrets: keepsSecrets) {
        if case .response(let response) = record.content { return response }
    }
    return try #require(nil, "no answer was recorded")
}

/// A user whose answer to a touch prompt the test gives.
struct ScriptedTouch: User {
    let answer: @Sendable () async -> PresenceAnswer

    func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { await answer() }
    func verify(_ prompt: VerificationPrompt) async -> GateAct { .cancelByUser }
    func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { .good }

    func choose(_ prompt: AccountPrompt) async -> Int? { nil }
}

/// A traced simulated device on a clock that only its user advances.
struct TracedBench {
    let recording = Recording()
    let clock = SimulatedClock()
    /// The user, unless the test provides one.
    let controlled: ControlledUser
    let simulated: SimulatedDevice
    let device: any CTAPDevice

    init(_ name: String, person: (any User)? = nil, recorder: TraceRecorder? = nil) throws {
        let clock = clock
        controlled = ControlledUser(habit: .auto) { clock.advance(to: $0) }
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile(name)
        let trace = (recorder ?? recording.recorder()).device(
            "key", title: profile.title, vocabulary: profile.platformErrors, now: clock.now)
        simulated = try SimulatedDevice(
            profile: profile, time: clock, random: SeededRandomSource(seed: 7), user: person ?? controlled,
            log: EventLog(onAppend: trace.note))
        device = trace.traced(simulated.authenticator)
    }

    var client: AuthenticatorClient { AuthenticatorClient(device) }

    var pin: PINClient {
        PINClient(client, protocol: .two, randomBytes: SeededRandomSource(seed: 8).bytes)
    }
}
