package import DeviceHost
internal import Foundation
package import Logging
package import LoopbackHTTP
internal import MachineTime
package import ProfileFiles
package import Providers
package import RelyingPartyServer
package import Trace
package import VirtualAuthenticator

/// The settings of a control server.
package struct ControlConfiguration: Sendable {
    /// The port on 127.0.0.1; 0: a free port.
    package var port = 0
    /// The secret that every request must carry.
    package var token: AccessToken
    /// The origins whose pages may send requests; default: none.
    package var allowedOrigins: Set<String> = []
    /// Whether WebDriver commands follow the specification exactly; otherwise they accept the same requests as ChromeDriver.
    package var isStrict = false
    package var profiles: ProfileLibrary
    package var directory: DeviceSocketDirectory = .standard
    /// The trouble of the relying party in this process; nil without one.
    package var server: ServerConditions?
    /// The port of the relying party in this process, which is the reference app's server; nil without one.
    package var serverPort: Int?
    /// The services beside the relying party in this process; nil without one.
    package var services: LoopbackServices?
    /// Records the traffic of the devices; default: no recording.
    package var trace: TraceRecorder?
    /// The interval at which an idle event stream shows that it is alive.
    package var heartbeat: Duration = .seconds(15)
    /// The number of events kept for later readers.
    package var eventCapacity = 10_000
    /// Endpoints beside the API's, for callers with the same token.
    package var additions = RouteTable()
    /// The clock on which addresses of the panel and of WebSockets end; default: the computer's.
    package var clock: any TimeSource = SystemTime()
    /// The server's log; default: silent.
    package var logger = Logger(label: "touchstone.control", factory: { _ in SwiftLogNoOpLogHandler() })

    package init(token: AccessToken, profiles: ProfileLibrary) {
        self.token = token
        self.profiles = profiles
    }
}
