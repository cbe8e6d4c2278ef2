internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Sends requests to a device in another process.
package struct DeviceSocketClient: Sendable {
    private let directory: DeviceSocketDirectory

    package init(directory: DeviceSocketDirectory = .standard) { self.directory = directory }

    /// Sends one request to the named or the only running device, and returns its answer.
    package func send(_ request: DeviceRequest, to name: String?) async throws(DeviceHostError) -> DeviceAnswer {
        try directory.check()
        let name = if let name { name } else { try await onlyName() }
        let path = try directory.socketPath(of: name)
        let response: DeviceSocketResponse
        do {
            response = try await exchange(request, path: path)
        } catch {
            switch error {
            case .unreachable:
                throw .notRunning("no device named \(name) is running; start one with `touchstone device start`")
            case .tooLong:
                throw .impossible(
                    "the command is longer than \(DeviceSocketConnection.longestLine) bytes; shorten its arguments")
            case .unanswered: throw .notRunning("\(name) stopped before it answered")
            }
        }
        return try response.result()
    }

    /// The only running device; the sockets of ended processes do not count.
    private func onlyName() async throws(DeviceHostError) -> String {
        var running: [String] = []
        for name in directory.names() {
            guard let path = try? directory.socketPath(of: name) else { continue }
            if (try? await exchange(.status, path: path)) != nil { running.append(name) }
        }
        guard let first = running.first else {
            throw .notRunning("no device is running; start one with `touchstone device start`")
        }
        guard running.count == 1 else { throw .ambiguous(running) }
        return first
    }

    /// The reason for a missing answer.
    private enum NoAnswer: Error {
        case unreachable
        case tooLong
        case unanswered
    }

    private func exchange(_ request: DeviceRequest, path: String) async throws(NoAnswer) -> DeviceSocketResponse {
        guard let line = try? JSONEncoder().encode(request),
            line.count <= DeviceSocketConnection.longestLine
        else {
            throw .tooLong
        }
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw .unreachable
        }
        do {
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(bytes: line + [UInt8(ascii: "\n")]))
                var line: [UInt8] = []
                for try await chunk in inbound {
                    line += Array(chunk.readableBytesView)
                    if line.last == UInt8(ascii: "\n") { break }
                }
                return try JSONDecoder().decode(DeviceSocketResponse.self, from: Data(line))
            }
        } catch {
            throw .unanswered
        }
    }
}
