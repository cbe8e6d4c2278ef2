import CTAP
import Captures
import DeviceProfiles
import Documents
import ForeignParties
import Foundation
import KnownKeys
import ProfileFiles
import Scenarios
import Synchronization
import TestSupport
import Testing
import Trace
import WebAuthn
import YAMLFiles

/// Damaged profiles, scenarios, known keys, relying parties, captures and traces are read or refused without a trap.
@Suite("Malformed files", .serialized)
struct FileFuzzTests {
    /// A kind of YAML file.
    enum Kind: CaseIterable, Sendable {
        case profile, scenario, knownKey, relyingParty

        fileprivate func library() throws -> ResourceLibrary {
            switch self {
            case .profile: try .standard(.profile)
            case .scenario: try .standard(.scenario)
            case .knownKey: try .standard(.knownKey)
            case .relyingParty: try .standard(.relyingParty)
            }
        }

        fileprivate func read(_ text: String, _ file: String) throws(SourceError) {
            switch self {
            case .profile: _ = try DeviceProfile(parsing: text, file: file)
            case .scenario: _ = try Scenario.runs(parsing: text, file: file)
            case .knownKey: _ = try KnownKey(parsing: text, file: file)
            case .relyingParty: _ = try ForeignParty(parsing: text, file: file)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func descriptionsAreReadOrRefusedWithAFileAndAReason(kind: Kind) throws {
        var generator = Fuzzing.generator(12 + (Kind.allCases.firstIndex(of: kind) ?? 0))
        let files = try kind.library().files()
        let texts = try files.map { Array(try ResourceFiles.text(of: $0).utf8) }
        var refused = 0
        for round in 0..<Fuzzing.rounds(400) {
            let index = round % files.count
            let text = String(decoding: Mutation.mutated(texts[index], &generator), as: UTF8.self)
            do {
                try kind.read(text, files[index])
            } catch {
                refused += 1
                if error.file.isEmpty || error.message.isEmpty {
                    Issue.record("\(text) is refused without a file name or a reason")
                }
            }
        }
        #expect(refused > 0)
    }

    @Test func capturesAreReadOrRefused() throws {
        let registration = RegistrationResponse(
            credentialID: [1, 2, 3], authenticatorAttachment: .platform,
            response: AttestationResponse(
                clientDataJSON: Array(
                    #"{"type":"webauthn.create","challenge":"AAEC","origin":"https://a.example"}"#.utf8),
                attestationObject: Seeds.hash))
        let good = Array(try JSONEncoder().encode(registration))
        var settings = CaptureSettings(now: .seconds(1_750_000_000))
        settings.challenge = "AAEC"
        settings.origins = ["https://a.example"]
        var (generator, readable) = (Fuzzing.generator(17), 0)
        for _ in 0..<Fuzzing.rounds(4_000) {
            let bytes = Mutation.mutated(good, &generator)
            if (try? Capture(parsing: bytes, settings)) != nil { readable += 1 }
            _ = try? CapturedRecord(parsing: bytes)
        }
        #expect(readable > 0)
    }

    @Test func tracesAreReadOrRefused() async throws {
        let records = Mutex<[TraceRecord]>([])
        let recorder = TraceRecorder { record in records.withLock { $0.append(record) } }
        _ = try await recorder.device("key", now: { .zero }).traced(RefusingDevice())
            .transceive(Seeds.all[0], onKeepalive: { _ in })
        var good: [UInt8] = []
        for record in records.withLock({ $0 }) { good += try TraceLine.encode(record) + [0x0A] }
        try #require(!good.isEmpty)
        var (generator, readable) = (Fuzzing.generator(18), 0)
        for _ in 0..<Fuzzing.rounds(4_000) {
            if (try? TraceReader.parse(Mutation.mutated(good, &generator), file: "trace")) != nil { readable += 1 }
        }
        #expect(readable > 0)
    }
}

/// A device that refuses every command.
private struct RefusingDevice: CTAPDevice {
    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        [CTAPStatus.other.rawValue]
    }
}
