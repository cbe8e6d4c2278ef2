public import DeviceHost
public import Devices
internal import Foundation
public import Logging
public import Trace

/// How a control server behaves.
public struct ControlConfiguration: Sendable {
    /// The port to listen on, on 127.0.0.1; 0 takes a free one.
    public var port = 0
    /// The secret that every request must show.
    public var token: AccessToken
    /// The origins whose pages may send requests; none unless given.
    public var allowedOrigins: Set<String> = []
    /// Whether the WebDriver commands are strictly those of the specification; otherwise they forgive what ChromeDriver
    /// forgives.
    public var isStrict = false
    /// The profiles devices are made from.
    public var profiles: ProfileLibrary
    /// Where devices keep their control sockets.
    public var directory: ControlDirectory = .standard
    /// Records what goes in and out of the devices.
    public var trace: TraceRecorder?
    /// How often an event stream on which nothing happens shows that it is alive.
    public var heartbeat: Duration = .seconds(15)
    /// How many events are kept for readers who come, or come back, later.
    public var eventCapacity = 10_000
    /// Where the server logs; silent unless given.
    public var logger = Logger(label: "touchstone.control", factory: { _ in SwiftLogNoOpLogHandler() })

    public init(token: AccessToken, profiles: ProfileLibrary) {
        self.token = token
        self.profiles = profiles
    }
}
