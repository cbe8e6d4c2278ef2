internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

extension ControlOperations {
    /// The path of pages' requests, behind the device's name.
    static let pageRequestsPath = "/page-requests"

    var pageRequests: [Operation] {
        [
            operation(
                .get, "/v1/page-scripts", "readPageScripts",
                "Read the scripts for a browser's documents, with names that no page can guess", .ceremonies,
                answer: TypedAnswer<PageScripts>("The scripts")
            ) { _ in PageScripts() },
            Operation(
                method: .post, path: "/v1/devices/{device}" + Self.pageRequestsPath, name: "answerPage",
                summary: "Answer the request of a page in a browser", tag: .ceremonies, body: PageRequest.schema,
                answer: .init(meaning: "The value or the error for the page", content: .json(PageAnswer.schema)),
                errors: [409], mayWaitForUser: true
            ) { call in
                let answer = try await PageCarrier(try await device(call)).journaledAnswer(PageRequest(call.body))
                return Reply.json(bytes: try answer.json())
            },
            onDevice(
                .post, Self.pageRequestsPath + "/pick", "pickForPage",
                "The user picks a passkey for the newest conditional request of a browser", .ceremonies,
                body: PickResult.requestSchema,
                answer: TypedAnswer<PickResult>("The error of the ceremony, after which the request continues to wait"),
                errors: [409], mayWaitForUser: true
            ) { device, call in try await device.pick(call.body) },
        ]
    }
}

/// The end of the ceremony with a picked passkey.
struct PickResult: Codable, Sendable {
    /// The error that the page does not learn of; nil on success.
    var error: CeremonyFailure?
    /// The time that the ceremony took on the device's clock.
    let elapsedSeconds: Double

    static let requestSchema = Schema.object(
        Schema.Members(
            members: BrowserRequests.Place.members + CeremonyAnswers.members + [
                .optional(
                    "waitSeconds", .integer(0...600), "The longest time until a page makes a request; default: 0.")
            ]))
}

extension ManagedDevice {
    /// The user picks a passkey for the newest conditional request of a browser, as soon as there is one.
    ///
    /// - Throws: `conditional.notPending` when no page makes a request in time, or the page leaves its request.
    func pick(_ body: JSONValue) async throws -> PickResult {
        let limit = Duration.seconds(body["waitSeconds"]?.integer ?? 0)
        let ending = await browserRequests.pick(
            in: BrowserRequests.Place(body), within: limit, answers: CeremonyAnswers.members(of: body))
        guard let ending else { throw APIError.pageNotWaiting }
        switch ending.result {
        case .success: return PickResult(elapsedSeconds: ending.elapsedSeconds)
        case .failure(let error): return PickResult(error: error, elapsedSeconds: ending.elapsedSeconds)
        }
    }
}

extension APIError {
    fileprivate static let pageNotWaiting = APIError(
        409, conditionalNotPending.code, "No page waits for a suggestion; make a conditional request in the page first."
    )
}
