import Documents
import Foundation
import NIOCore
import SimulatedDevice
import Testing
import VirtualAuthenticator

@testable import ControlAPI

/// The journal of events, as a list and as a stream.
@Suite struct EventTests {
    private func event(_ number: Int) -> EventDescription {
        EventDescription(AuthenticatorEvent(at: .seconds(number), kind: .powerCycled))
    }

    @Test("The newest events are kept, and a reader gets the number of missed ones")
    func journalKeepsNewestEvents() {
        let journal = EventJournal(capacity: 20)
        let (odd, even) = (journal.begin("odd"), journal.begin("even"))
        for number in 1...50 { journal.append(event(number), of: number.isMultiple(of: 2) ? even : odd) }
        let all = journal.read(EventJournal.Filter(), limit: 1000)
        #expect(all.records.count <= 20)
        #expect(all.records.last?.id == 50)
        #expect(all.missed == 50 - all.records.count)
        let page = journal.read(EventJournal.Filter(even, after: 44), limit: 2)
        #expect(page.records.map(\.id) == [46, 48])
        #expect(page.seen == 48)
        #expect(page.missed == 0)
        #expect(journal.read(EventJournal.Filter(after: 1000), limit: 5).records.isEmpty)
        #expect(journal.read(EventJournal.Filter(after: 50), limit: 5).missed == 0)
    }

    @Test("A reader that does not read is woken once, whatever the number of events")
    func idleReaderIsWokenOnce() async {
        let journal = EventJournal(capacity: 10)
        let source = journal.begin("a")
        let subscription = journal.subscribe(to: nil)
        for number in 1...10_000 { journal.append(event(number), of: source) }
        journal.close()
        var wakes = 0
        for await _ in subscription.wakes { wakes += 1 }
        #expect(wakes == 1)
    }

    @Test("A subscription ends with its device, and not with an earlier or later one of the same name")
    func streamEndsWithDevice() async {
        let journal = EventJournal(capacity: 10)
        let old = journal.begin("phone")
        let oldReader = journal.subscribe(to: old)
        journal.append(event(1), of: old)
        let new = journal.begin("phone")
        let newReader = journal.subscribe(to: new)
        journal.end(old)
        journal.append(event(2), of: new)
        journal.append(event(3), of: old)
        var wakes = 0
        for await _ in oldReader.wakes { wakes += 1 }
        #expect(wakes == 1)
        // A reader that subscribes after the device has ended ends immediately.
        for await _ in journal.subscribe(to: old).wakes { Issue.record("woken by a device that is gone") }
        for await _ in newReader.wakes { break }
        #expect(journal.read(EventJournal.Filter(old), limit: 10).records.map(\.id) == [1, 3])
        #expect(journal.read(EventJournal.Filter(new), limit: 10).records.map(\.id) == [2])
    }

    @Test("A list begins after the given event and ends at its limit")
    func limitPagesAList() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let all: EventList = try await control.get("/v1/events").decode()
            #expect(all.events.map(\.id) == Array(1...all.lastId))
            let page: EventList = try await control.get("/v1/devices/phone/events?since=2&limit=3").decode()
            #expect(page.events.map(\.id) == [3, 4, 5])
            #expect(page.events.allSatisfy { $0.device == "phone" })
        }
    }

    @Test(
        "A client that polls with lastId sees every event once",
        arguments: [("/v1/events", 1), ("/v1/events", 3), ("/v1/devices/phone/events", 2), ("/v1/events", 1000)])
    func pollingMissesNoEvent(path: String, limit: Int) async throws {
        try await Control.run { control in
            try await control.device("solo-1", "key")
            try await control.device("iphone-face-id")
            for name in ["phone", "key", "phone", "key"] {
                try await control.post("/v1/devices/\(name)/acts", ["verb": "power-cycle"])
            }
            let wanted: EventList = try await control.get(path).decode()
            #expect(wanted.events.count >= 2)
            var seen: [Int] = []
            var page: EventList
            var since = 0
            repeat {
                page = try await control.get("\(path)?since=\(since)&limit=\(limit)").decode()
                #expect(page.missed == 0)
                #expect(page.events.count <= limit)
                seen += page.events.map(\.id)
                since = page.lastId
            } while !page.events.isEmpty && seen.count <= wanted.events.count
            #expect(seen == wanted.events.map(\.id))
            #expect(since == wanted.lastId)
        }
    }

    @Test("A new device does not show the events of an earlier one of the same name")
    func laterDeviceOfSameNameHasItsOwnEvents() async throws {
        try await Control.run { control in
            for _ in 1...2 {
                try await control.device("iphone-face-id")
                try await control.post("/v1/devices/phone/acts", ["verb": "power-cycle"])
                let list: EventList = try await control.get("/v1/devices/phone/events").decode()
                #expect(list.events.count { $0.event.kind == "power" } == 1)
                try await control.send("DELETE", "/v1/devices/phone")
            }
        }
    }

    /// Reads a stream until it holds a text, or ends.
    private func read(
        _ control: Control, _ path: String, fields: [String: String] = [:], until text: String?
    ) async throws -> String {
        let all = control.authorization.merging(["Accept": "text/event-stream"]) { first, _ in first }
        return try await control.wire.open("GET", path, fields: all.merging(fields) { _, new in new }) { chunks in
            var received = ""
            for try await chunk in chunks {
                received += String(buffer: chunk)
                if let text, received.contains(text) { break }
                // The last chunk of a chunked body.
                if text == nil, received.hasSuffix("0\r\n\r\n") { break }
            }
            return received
        }
    }

    @Test("A stream sends kept and new events, resumes after an event, and ends with the device")
    func streamResumesAfterEvent() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.device("solo-1", "key")
            let path = "/v1/devices/phone/acts"
            for name in ["a", "b"] {
                try await control.post(path, ["verb": "unenrol", "arguments": ["template": .text(name)]])
                try await control.post(path, ["verb": "enrol", "arguments": ["template": .text(name)]])
                try await control.post(path, ["verb": "unenrol", "arguments": ["template": .text(name)]])
            }
            let before = try await read(control, "/v1/devices/phone/events", until: "id: 4\n")
            #expect(before.contains("text/event-stream"))
            #expect(before.contains("id: 1\ndata: {\"device\":\"phone\""))
            let resumed = try await read(
                control, "/v1/devices/phone/events?since=1", fields: ["Last-Event-ID": "3"], until: "id: 4\n")
            #expect(!resumed.contains("id: 3\n"))

            async let stream = read(control, "/v1/devices/phone/events?since=4", until: nil)
            async let everything = read(control, "/v1/events?since=4", until: "\"key\"")
            try await control.post(path, ["verb": "enrol", "arguments": ["template": "c"]])
            try await control.post("/v1/devices/key/acts", ["verb": "power-cycle"])
            try await control.send("DELETE", "/v1/devices/phone")
            let told = try await stream
            #expect(told.contains("c is enrolled"))
            #expect(!told.contains("\"key\""))
            #expect(told.hasSuffix("0\r\n\r\n"))
            #expect(try await everything.contains("c is enrolled"))
        }
    }

    @Test("An idle stream shows that it is alive, and ends when the server stops")
    func idleStreamSendsComments() async throws {
        try await Control.run(configure: { $0.heartbeat = .milliseconds(20) }) { control in
            let quiet = try await read(control, "/v1/events", until: "\r\n:\n\n")
            #expect(quiet.contains(": touchstone"))
            async let last = read(control, "/v1/events", until: nil)
            _ = try await read(control, "/v1/events", until: "\r\n:\n\n")
            await control.server.stop()
            #expect(try await last.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("A late reader gets the number of missed events")
    func missedEventsAreCounted() async throws {
        try await Control.run(configure: { $0.eventCapacity = 5 }) { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let told = try await read(control, "/v1/events?since=1", until: "id: ")
            #expect(told.contains("event: gap\ndata: {\"missed\":"))
        }
    }
}
