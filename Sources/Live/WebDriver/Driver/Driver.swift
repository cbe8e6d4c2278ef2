internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// The WebDriver server behind this one.
struct Driver: Sendable {
    private let client: LoopbackClient
    private let address: DriverAddress

    init(_ address: DriverAddress) {
        client = LoopbackClient(port: address.port)
        self.address = address
    }

    /// The fields that belong to one connection (RFC 9110 §7.6.1), and those that each side writes itself.
    private static let ownFields: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Passes a request on; throws `unknown error` when the driver gives no answer.
    func answer(_ request: Request, body: [UInt8]) async throws -> LoopbackClient.Answer {
        let fields = request.headers.map { ($0.name.rawName, $0.value) }
        let isOwn = { (name: String) in Self.ownFields.contains(name.lowercased()) }
        return try await send(
            request.method.rawValue, request.uri.string, fields: fields.filter { !isOwn($0.0) }, body: body)
    }

    func send(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> LoopbackClient.Answer {
        do {
            return try await client.send(method, address.path + target, fields: fields, body: body)
        } catch let error as LoopbackClientError {
            throw WebDriverError.unknownError.because("The driver at \(address) does not answer: \(error).")
        }
    }

    /// The driver's answer for the client, with another body if one is given.
    static func response(_ answer: LoopbackClient.Answer, body: [UInt8]? = nil) -> Response {
        var fields = HTTPFields()
        for field in answer.fields where !ownFields.contains(field.name) {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body ?? answer.body)))
    }
}
