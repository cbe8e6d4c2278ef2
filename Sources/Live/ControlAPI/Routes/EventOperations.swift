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
                method: .get, path: path, name: name, summary: summary, tag: .events,
                parameters: Self.eventParameters,
                answer: .init(
                    meaning: "The kept events; with Accept: text/event-stream, the kept and all new events",
                    content: .events(.named("EventList", Schema.of(EventList.self))))
            ) { call in try answer(call, try await filter(call)) }
        }
        return [
            operation("/v1/events", "readEvents", "Read the events of all devices") { _ in EventJournal.Filter() },
            operation("/v1/devices/{device}/events", "readDeviceEvents", "Read a device's events") { call in
                EventJournal.Filter(try await device(call).source)
            },
        ]
    }

    private static let eventParameters: [Operation.Parameter] = [
        .init(
            name: "since", schema: .integer(0...Int.max),
            meaning: "Only events after the event with this ID, such as the lastId of the previous list."),
        .init(
            name: "Last-Event-ID", schema: .integer(0...Int.max),
            meaning: "The same, as EventSource sends it when it reconnects; takes precedence over since.",
            isHeader: true),
        .init(
            name: "limit", schema: .integer(1...1000), meaning: "The maximum number of events in a list; default: 1000."
        ),
    ]

    private func answer(_ call: Call, _ filter: EventJournal.Filter) throws -> Response {
        let lastSeen = HTTPField.Name("Last-Event-ID").flatMap { call.headers[$0] }.flatMap(Int.init)
        // A browser reconnects with its first URL, so the header is newer than the query.
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
    /// The number of earlier events, of any device, that are not kept any more.
    let missed: Int
    /// The ID for the next `since`: the last event's ID in a list that ends at the limit, otherwise the ID of the newest
    /// event of any device.
    let lastId: Int
}
