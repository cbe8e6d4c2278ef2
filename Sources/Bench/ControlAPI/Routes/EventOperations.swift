internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

extension ControlOperations {
    var events: [Operation] {
        func operation(
            _ path: String, _ name: String, _ summary: String,
            _ filter: @escaping @Sendable (Call) async throws -> EventJournal.Filter
        ) -> Operation {
            Operation(
                method: .get, path: path, name: name, summary: summary, tag: "events",
                parameters: Self.eventParameters,
                answer: .init(
                    meaning: "The events kept; or, with Accept: text/event-stream, those and what comes",
                    content: .events(.named("EventList", Schema.of(EventList.self))))
            ) { call in try answer(call, try await filter(call)) }
        }
        return [
            operation("/v1/events", "readEvents", "What happens in all devices") { _ in EventJournal.Filter() },
            operation("/v1/devices/{device}/events", "readDeviceEvents", "What happens in a device") { call in
                EventJournal.Filter(try await device(call).source)
            },
        ]
    }

    private static let eventParameters: [Operation.Parameter] = [
        .init(
            name: "since", schema: .integer(0...Int.max),
            meaning: "Only events after the one with this ID, such as the lastId of the list before."),
        .init(
            name: "Last-Event-ID", schema: .integer(0...Int.max),
            meaning: "The same, as EventSource sends it when it comes back; it goes before since.", isHeader: true),
        .init(name: "limit", schema: .integer(1...1000), meaning: "The most events in a list; 1000 unless given."),
    ]

    private func answer(_ call: Call, _ filter: EventJournal.Filter) throws -> Response {
        let lastSeen = HTTPField.Name("Last-Event-ID").flatMap { call.headers[$0] }.flatMap(Int.init)
        // A browser that reconnects sends the URL it began with, so the header is the newer of the two.
        let since = lastSeen ?? call.query["since"]?.integer ?? 0
        var filter = filter
        filter.after = max(filter.after, since)
        let limit = call.query["limit"]?.integer
        let wantsStream = call.headers[.accept]?.lowercased().contains("text/event-stream") ?? false
        if wantsStream, limit == nil { return EventStream(journal: journal, filter: filter).response }
        let (records, missed, seen) = journal.read(filter, limit: limit ?? 1000)
        return try Reply.json(EventList(events: records, missed: missed, lastId: seen))
    }
}

/// A list of events.
struct EventList: Codable, Sendable {
    let events: [EventRecord]
    /// How many events, of whatever device, came before these and are not kept any more.
    let missed: Int
    /// The ID up to which the list is whole, to go on from with `since`: that of its last event where it ends at the
    /// limit, otherwise that of the newest event of all devices.
    let lastId: Int
}
