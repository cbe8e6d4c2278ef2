package import DeviceHost
package import DeviceProfiles
internal import Foundation
package import Logging
package import Trace

/// How a control server behaves.
package struct ControlConfiguration: Sendable {
    /// The port to listen on, on 127.0.0.1; 0 takes a free one.
    package var port = 0
    /// The secret that every request must show.
    package var token: AccessToken
    /// The origins whose pages may send requests; none unless given.
    package var allowedOrigins: Set<String> = []
    /// Whether the WebDriver commands are strictly those of the specification; otherwise they forgive what ChromeDriver
    /// forgives.
    package var isStrict = false
    /// The profiles devices are made from.
    package var profiles: ProfileLibrary
    /// Where devices keep their control sockets.
    package var directory: ControlDirectory = .standard
    /// Records what goes in and out of the devices.
    package var trace: TraceRecorder?
    /// How often an event stream on which nothing happens shows that it is alive.
    package var heartbeat: Duration = .seconds(15)
    /// How many events are kept for readers who come, or come back, later.
    package var eventCapacity = 10_000
    /// Where the server logs; silent unless given.
    package var logger = Logger(label: "touchstone.control", factory: { _ in SwiftLogNoOpLogHandler() })

    package init(token: AccessToken, profiles: ProfileLibrary) {
        self.token = token
        self.profiles = profiles
    }
}
