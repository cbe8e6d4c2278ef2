internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Talks to a device that runs in another process.
package struct ControlClient: Sendable {
    private let directory: ControlDirectory

    /// A client of the devices that have their sockets in a directory.
    package init(directory: ControlDirectory = .standard) {
        self.directory = directory
    }

    /// Sends one command and returns the device's state after it.
    ///
    /// - Parameter name: the device's name; nil when only one runs.
    /// - Throws: ``DeviceHostError`` when no such device runs, several do, or the device refuses.
    package func send(_ request: ControlRequest, to name: String?) async throws(DeviceHostError) -> DeviceStatus {
        let name = if let name { name } else { try await onlyName() }
        let path = try directory.socketPath(of: name)
        let response: ControlResponse
        do {
            response = try await exchange(request, path: path)
        } catch {
            switch error {
            case .unreachable:
                throw .notRunning("no device named \(name) is running; start one with `touchstone device start`")
            case .tooLong: throw .refused("a command has at most \(ControlConnection.longestLine) bytes")
            case .unanswered: throw .notRunning("\(name) stopped before it answered")
            }
        }
        if let error = response.error { throw .refused(error) }
        if let refusal = response.refusal { throw .cameToNothing(refusal) }
        guard let status = response.status else { throw .refused("the device gave no answer") }
        return status
    }

    /// The one device that runs; sockets that a device which died left behind do not count.
    private func onlyName() async throws(DeviceHostError) -> String {
        var running: [String] = []
        for name in directory.names() {
            guard let path = try? directory.socketPath(of: name) else { continue }
            if (try? await exchange(ControlRequest(.status), path: path)) != nil { running.append(name) }
        }
        guard let first = running.first else {
            throw .notRunning("no device is running; start one with `touchstone device start`")
        }
        guard running.count == 1 else { throw .ambiguous(running) }
        return first
    }

    /// Why there is no answer.
    private enum Silence: Error {
        /// Nobody listens.
        case unreachable
        /// The command is longer than a device reads.
        case tooLong
        /// The device hung up instead.
        case unanswered
    }

    private func exchange(_ request: ControlRequest, path: String) async throws(Silence) -> ControlResponse {
        guard let line = try? JSONEncoder().encode(request), line.count <= ControlConnection.longestLine else {
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
                return try JSONDecoder().decode(ControlResponse.self, from: Data(line))
            }
        } catch {
            throw .unanswered
        }
    }
}
