import CTAP
import Documents
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trace

@Suite("Trace files")
struct FileTests {
    /// Runs with the path of a file that does not exist, and deletes it afterwards.
    private func withPath<Result>(_ use: (String) async throws -> Result) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await use(path)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func content(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    private let record = TraceRecord(at: .seconds(5), device: "key", content: .powerCycle)

    @Test func recordsRoundTrip() async throws {
        try await withPath { path in
            let recording = Recording()
            let file = try TraceFile(creating: path)
            let both = TraceRecorder { record in
                file.write(record)
                recording.add(record)
            }
            let bench = try TracedBench("iphone-face-id", recorder: both)
            _ = try await bench.client.getInfo()
            _ = try await bench.pin.tokenUsingUV(permissions: .getAssertion, relyingPartyID: "example.com")
            _ = try await bench.device.transceive([0x55, 0xFF])
            let trace = try TraceReader.read(path)
            #expect(trace.records == recording.records)
            #expect(trace.records.count > 10)
            #expect(trace.warnings.isEmpty)
        }
    }

    @Test func onlyTheOwnerMayReadTheFile() async throws {
        try await withPath { path in
            // The file exists with mode 0644 before the trace starts.
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(try TraceLine.encode(record) + [UInt8(ascii: "\n")]),
                attributes: [.posixPermissions: 0o644])
            _ = try TraceFile(creating: path)
            #expect(try mode(path) == 0o600)
            #expect(try content(path).isEmpty)
            try FileManager.default.removeItem(atPath: path)
            _ = try TraceFile(creating: path)
            #expect(try mode(path) == 0o600)
        }
    }

    /// A killed process leaves the beginning of a line.
    @Test(
        arguments: [
            (#"{"a": 1}"#, false), (#"{"a": 1}"# + "\n", false), (#"{"at": 1}"#, false), (#"{"options": {"#, false),
            (#"{"at":5,"device":"ke"#, true),
        ])
    func onlyATraceIsOverwritten(text: String, isTrace: Bool) async throws {
        try await withPath { path in
            try Data(text.utf8).write(to: URL(filePath: path))
            do throws(TraceFile.Failure) {
                _ = try TraceFile(creating: path)
                #expect(isTrace)
            } catch {
                #expect(!isTrace && error.reason.contains("not a trace"), "\(error)")
                #expect(try content(path) == Array(text.utf8))
            }
        }
    }

    @Test func everyLineIsWrittenAtOnce() async throws {
        try await withPath { path in
            let file = try TraceFile(creating: path)
            for count in 1...3 {
                file.write(record)
                #expect(try TraceReader.read(path).records.count == count)
            }
        }
    }

    @Test func aFullDiskIsReportedOnce() throws {
        let failures = Mutex<[String]>([])
        let file = TraceFile("/dev/full", descriptor: open("/dev/full", O_WRONLY)) { failure in
            failures.withLock { $0.append("\(failure)") }
        }
        for _ in 0..<3 { file.write(record) }
        #expect(failures.withLock { $0 } == ["/dev/full cannot be written: No space left on device"])
    }

    @Test func aFileThatCannotBeCreatedIsRefused() async throws {
        #expect(throws: TraceFile.Failure.self) { try TraceFile(creating: "/nowhere/at/all.jsonl") }
        let failure = try #require(throws: TraceReader.Failure.self) { try TraceReader.read("/nowhere.jsonl") }
        #expect(failure.description == "/nowhere.jsonl cannot be read: No such file or directory")
    }

    @Test func aLineHasTheDocumentedKeys() throws {
        let message = TraceMessage(
            length: 6, raw: nil,
            fields: [
                TraceField(key: "1", name: "pinUvAuthProtocol", type: .integer, value: "2"),
                TraceField(key: "6", name: "pinHashEnc", type: .bytes, secret: .declared, length: 32),
            ])
        let lines = [
            TraceRecord.Content.device(TracedDeviceDescription(title: "A key")),
            .request(TraceRequest(code: 6, command: "ClientPIN", subcommand: "getPinToken", message: message)),
            .keepalive(.userPresenceNeeded), .event(TraceEvent(kind: "pin", text: "PIN matches, 8 retries left")),
            .cancel,
            .response(
                TraceResponse(
                    status: .pinInvalid, duration: .microseconds(1_500), reason: "clientPIN.pinMismatch",
                    clause: "CTAP 2.3 §6.5.5", detail: "why", message: TraceMessage(length: 1, raw: [0x31]))),
            .failure(TraceFailure(error: "busy", text: "the device is busy", duration: .zero)), .powerCycle,
        ].map { TraceRecord(at: .microseconds(1_767_225_600_000_001), device: "key", exchange: 3, content: $0) }
        let head = #""at":1767225600.000001"#
        let tail = #""schema":1"#
        let expected = [
            #"{\#(head),"device":"key","exchange":3,"kind":"device",\#(tail),"secrets":false,"title":"A key"}"#,
            #"{\#(head),"bytes":6,"code":6,"command":"ClientPIN","device":"key","exchange":3,"fields":[{"key":"1","#
                + #""name":"pinUvAuthProtocol","type":"integer","value":"2"},{"key":"6","length":32,"#
                + #""name":"pinHashEnc","secret":"declared","type":"bytes"}],"kind":"request",\#(tail),"#
                + #""subcommand":"getPinToken"}"#,
            #"{\#(head),"device":"key","exchange":3,"keepalive":"userPresenceNeeded","kind":"keepalive",\#(tail)}"#,
            #"{\#(head),"device":"key","event":"pin","exchange":3,"kind":"event",\#(tail),"#
                + #""text":"PIN matches, 8 retries left"}"#,
            #"{\#(head),"device":"key","exchange":3,"kind":"cancel",\#(tail)}"#,
            #"{\#(head),"bytes":1,"clause":"CTAP 2.3 §6.5.5","detail":"why","device":"key","exchange":3,"#
                + #""kind":"response","raw":"31","reason":"clientPIN.pinMismatch",\#(tail),"seconds":0.0015,"#
                + #""status":49,"statusName":"PIN_INVALID"}"#,
            #"{\#(head),"device":"key","error":"busy","exchange":3,"kind":"failure",\#(tail),"seconds":0,"#
                + #""text":"the device is busy"}"#,
            #"{\#(head),"device":"key","exchange":3,"kind":"powerCycle",\#(tail)}"#,
        ]
        for (record, text) in zip(lines, expected) {
            #expect(String(decoding: try TraceLine.encode(record), as: UTF8.self) == text)
            #expect(try TraceLine.decode(text.utf8) == record)
        }
    }

    @Test func unknownKeysAreIgnored() throws {
        let line = #"{"schema":1,"at":1,"device":"key","kind":"cancel","exchange":1,"novelty":[1]}"#
        #expect(try TraceLine.decode(line.utf8).content == .cancel)
    }

    @Test(arguments: [
        ("[]", "the line is not the object or array that is expected"), ("{", "the line is not JSON"),
        ("{}", "`schema` is missing"),
        (#"{"schema":2}"#, "schema 2 is unknown; this program reads schema 1"),
        (#"{"schema":1}"#, "`kind` is missing"), (#"{"schema":1,"kind":"x"}"#, "`at` is missing"),
        (#"{"schema":1,"kind":"x","at":1}"#, "`device` is missing"),
        (#"{"schema":1,"kind":"x","at":1,"device":"k"}"#, "`kind` is \"x\"; schema 1 does not have it"),
        (#"{"schema":1,"kind":"x","at":"1","device":"k"}"#, "`at` is not a number"),
        (#"{"schema":1,"kind":"cancel","at":1e300,"device":"k"}"#, "`at` is out of range"),
        (#"{"schema":1,"kind":"cancel","at":-1,"device":"k"}"#, "`at` is out of range"),
        (#"{"schema":1,"kind":"cancel","at":1,"device":"k","exchange":0}"#, "`exchange` must be 1 or more"),
        (#"{"schema":1,"kind":"request","at":1,"device":"k"}"#, "`command` is missing"),
        (#"{"schema":1,"kind":"request","at":1,"device":"k","command":"X","code":256}"#, "`code` is not 0 to 255"),
        (#"{"schema":1,"kind":"response","at":1,"device":"k","seconds":0,"bytes":-1}"#, "`bytes` is negative"),
        (
            #"{"schema":1,"kind":"response","at":1,"device":"k","seconds":0,"bytes":1,"raw":"0"}"#,
            "`raw` is not hexadecimal"
        ),
        (
            #"{"schema":1,"kind":"keepalive","at":1,"device":"k","keepalive":"x"}"#,
            "`keepalive` is \"x\"; expected processing or userPresenceNeeded"
        ),
        (
            #"{"schema":1,"kind":"request","at":1,"device":"k","fields":[{"type":"odd"}]}"#,
            "a field's `type` is \"odd\""
        ),
        (#"{"schema":1,"kind":"request","at":1,"device":"k","fields":[{}]}"#, "`fields[0].type` is missing"),
    ])
    func aBadLineIsNamedWithWhatIsWrong(line: String, message: String) throws {
        let good = String(decoding: try TraceLine.encode(record), as: UTF8.self)
        let text = [good, "", line, good].joined(separator: "\n") + "\n"
        let error = try #require(throws: SourceError.self) { try TraceReader.parse(Array(text.utf8), file: "t.jsonl") }
        #expect(error == SourceError(file: "t.jsonl", line: 3, message: message))
    }

    @Test func anIncompleteLastLineGivesAWarning() throws {
        let line = try TraceLine.encode(record)
        let newline = UInt8(ascii: "\n")
        for cut in 1..<line.count {
            let trace = try TraceReader.parse(line + [newline] + line.prefix(cut), file: "t.jsonl")
            #expect(trace.records == [record])
            #expect(trace.warnings == ["t.jsonl:2: the last line is incomplete and was skipped"])
        }
        let whole = try TraceReader.parse(line + [newline] + line, file: "t.jsonl")
        #expect(whole.records == [record, record])
        #expect(whole.warnings.isEmpty)
        #expect(try TraceReader.parse([], file: "t.jsonl").records.isEmpty)
    }

    @Test func aFilterSelectsADeviceOrRefusals() async throws {
        let recording = Recording()
        let recorder = recording.recorder()
        for (name, status) in [("good", 0), ("bad", 0x27)] as [(String, UInt8)] {
            let device = recorder.device(name, now: { .zero }).traced(Puppet { _, _ in [status] })
            _ = try await device.transceive([4])
        }
        let records = recording.records
        #expect(TraceFilter().apply(to: records) == records)
        #expect(Set(TraceFilter(device: "good").apply(to: records).map(\.device)) == ["good"])
        let refused = TraceFilter(onlyRefused: true).apply(to: records)
        #expect(refused.map(\.exchange) == [nil, nil, 2, 2])
        #expect(TraceFilter(device: "good", onlyRefused: true).apply(to: records).map(\.exchange) == [nil])
    }
}
