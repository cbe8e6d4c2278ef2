internal import CodeReader
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import WebAuthn

extension ControlOperations {
    var scans: [Operation] {
        [
            onDevice(
                .post, "/scan", "scan", "Let a phone scan a QR code, and answer the computer that shows it",
                body: .object(
                    .optional("code", .string(1...8000), "The text of the code, which begins with FIDO:/."),
                    .optional(
                        "picture", .string(1...JSONBody.limit),
                        "In place of the text: a picture of the code, a PNG file of up to 700 KB in unpadded base64url."
                    ),
                    .optional(
                        "at", .choice(ScanPlace.allCases.map(\.rawValue)),
                        "The computer that shows the code: a program of this user, or the browser of touchstone browser; default: program."
                    )),
                answer: .outcome, errors: [409, 422], mayWaitForUser: true
            ) { device, call in
                let text = try await Self.code(call.body)
                let place = call.body["at"]?.text.flatMap(ScanPlace.init) ?? .program
                let outcome: ScanOutcome
                do {
                    outcome = try await device.host.scan(text, at: place)
                } catch {
                    throw APIError(409, "scan.missing", because: error)
                }
                await device.app.observe()
                return await Outcome(
                    device, cause: outcome.cause, idleness: nil,
                    explanation: outcome.cause.map { _ in outcome.explanation },
                    answer: outcome.cause == nil ? outcome.explanation : nil)
            }
        ]
    }

    /// The text of the code.
    private static func code(_ body: JSONValue) async throws -> String {
        switch (body["code"]?.text, body["picture"]?.text) {
        case (let code?, nil): return code
        case (nil, let picture?):
            guard let bytes = Base64URL.decode(picture) else {
                throw APIError(
                    422, "scan.picture", "picture is not unpadded base64url; encode the bytes of the PNG file.")
            }
            do throws(CodeReaderError) {
                return try await CodeReader.text(inPicture: bytes)
            } catch {
                throw APIError(error.kind == .missing ? 409 : 422, "scan.picture", because: error)
            }
        case (nil, nil): throw APIError(422, "scan.code", "code and picture are missing; give one of them.")
        case (_?, _?): throw APIError(422, "scan.code", "code and picture stand side by side; give one of them.")
        }
    }
}
