internal import HTTPTypes
package import Hummingbird
internal import NIOCore

extension Response {
    /// The whole body.
    package func collectedBytes() async throws -> [UInt8] {
        let (parts, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        try await body.write(CollectedBody(continuation: continuation))
        continuation.finish()
        var bytes: [UInt8] = []
        for await part in parts { bytes += part.readableBytesView }
        return bytes
    }
}

/// Keeps the body of a response.
private struct CollectedBody: ResponseBodyWriter {
    let continuation: AsyncStream<ByteBuffer>.Continuation

    func write(_ buffer: ByteBuffer) { continuation.yield(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
