internal import Foundation
package import HybridTunnel
internal import Machine
internal import Radio

/// The surroundings of a browser that `touchstone browser` started, as a file tells the user's other programs.
///
/// A JSON object in the user's runtime directory: `bus` (the address of the private bus), `tunnel` (the service), and `screen` (the
/// variables by which programs reach the window's screen).
package struct BrowserPlace: Codable, Sendable {
    /// The longest file that is read, in bytes.
    private static let longest = 1 << 14

    private let bus: String
    private let tunnel: TunnelPlace
    /// The variables by which programs reach the window's screen.
    package let screen: [String: String]

    /// - Parameters:
    ///   - bus: the address of the bus with the pretended BlueZ.
    ///   - tunnel: the service to which the browser's names lead.
    ///   - environment: the browser's environment.
    package init(bus: String, tunnel: TunnelService, environment: [String: String]) {
        (self.bus, self.tunnel) = (bus, TunnelPlace(of: tunnel))
        screen = environment.filter { ["DISPLAY", "XAUTHORITY"].contains($0.key) }
    }

    private static var path: String { RuntimeDirectory.standardPath + "/browser.json" }

    /// Writes the file; a browser that starts later takes its place.
    ///
    /// - Throws: `FileProblem`.
    package func publish() throws {
        try PrivateDirectory.make(RuntimeDirectory.standardPath)
        try OwnFile.replace(Self.path, with: Array(try JSONEncoder().encode(self)))
    }

    /// Removes the file, unless it is another browser's.
    package func withdraw() {
        if let current = try? Self.read(), current.tunnel == tunnel { unlink(Self.path) }
    }

    /// The browser that runs.
    ///
    /// - Throws: ``HybridPlaceError`` without one.
    package static func current() throws(HybridPlaceError) -> BrowserPlace {
        guard let place = try? read(), !place.tunnel.isStale else {
            throw HybridPlaceError(
                description:
                    "no browser shows QR codes to running devices; start one with `touchstone browser URL --hybrid`")
        }
        return place
    }

    private static func read() throws -> BrowserPlace? {
        guard try PrivateDirectory.check(RuntimeDirectory.standardPath),
            let bytes = try OwnFile.read(path, limit: longest), bytes.count <= longest
        else { return nil }
        return try JSONDecoder().decode(BrowserPlace.self, from: Data(bytes))
    }

    /// The way of a phone to the browser.
    ///
    /// - Throws: the radio's error.
    package func way() async throws -> HybridWay {
        let radio = try await BlueZRadio.open(bus)
        return HybridWay(radio: radio, tunnel: tunnel.client) { await radio.close() }
    }
}

/// The reason why a phone has no way to the other end.
package struct HybridPlaceError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
