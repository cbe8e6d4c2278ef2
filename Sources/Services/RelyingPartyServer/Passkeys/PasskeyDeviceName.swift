internal import Foundation
internal import LoopbackHTTP

/// The device name of a passkey (A13).
enum PasskeyDeviceName {
    static func validated(_ name: String) throws(APIError) -> String {
        guard let name = Label.validated(name) else { throw .deviceNameInvalid }
        return name
    }

    static func guess(userAgent: String?) -> String {
        guard let userAgent else { return unknown }
        if let name = androidModel(in: userAgent) ?? alamofireSystem(in: userAgent) { return name }
        return table.first { userAgent.contains($0.mark) }?.name ?? unknown
    }

    private static let unknown = "Unknown device"

    // The first match counts: an iPhone's header also contains "Mac OS X", and an app's "Darwin".
    private static let table: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Macintosh", "Mac"),
        ("Android", "Android device"),
        ("okhttp/", "Android device"),
        ("CrOS", "Chromebook"),
        ("Windows NT", "Windows PC"),
        ("CFNetwork/", "Apple device"),
        ("Dart/", "Dart app"),
        ("ktor-client", "Ktor app"),
        ("Ktor client", "Ktor app"),
        ("X11;", "Linux PC"),
        ("touchstone/", "Command line"),
        ("curl/", "Command line"),
        ("Wget/", "Command line"),
    ]

    /// The model in `… Android VERSION; MODEL Build/…)` or `… Android VERSION; MODEL)`, unless it is a placeholder.
    private static func androidModel(in userAgent: String) -> String? {
        guard let start = userAgent.range(of: "Android ")?.upperBound,
            let end = userAgent[start...].firstIndex(of: ")")
        else { return nil }
        let parts = userAgent[start..<end].split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        let field = parts[1].prefix(upTo: parts[1].range(of: " Build/")?.lowerBound ?? parts[1].endIndex)
        let model = field.trimmingCharacters(in: .whitespaces)
        return ["K", "Mobile", "Tablet"].contains(model) ? nil : Label.validated(model)
    }

    /// The system in `APP/VERSION (BUNDLE; build:N; SYSTEM VERSION) Alamofire/VERSION`.
    private static func alamofireSystem(in userAgent: String) -> String? {
        guard let match = userAgent.firstMatch(of: /; (\w+) [0-9.]+\) Alamofire\//) else { return nil }
        let names = ["iOS": "iPhone or iPad", "macOS": "Mac", "watchOS": "Apple Watch", "tvOS": "Apple TV"]
        return names[String(match.1)] ?? "Apple device"
    }
}
