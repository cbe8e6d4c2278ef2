package import ControlAPI
package import DeviceProfiles
internal import Documents
package import Logging

/// The settings of a WebDriver server with simulated devices.
package struct WebDriverConfiguration: Sendable {
    /// The port on 127.0.0.1; 0: a free port.
    package var port = 0
    package var driver: DriverAddress
    /// The control API in this process, which has the devices.
    package var control: ControlServer
    package var token: AccessToken
    /// Firefox, which this server starts for sessions with its name; nil: the driver does.
    package var firefox: String?
    /// The device of a session that names none; nil for none.
    package var device: DeviceProfile?
    /// The server's log; default: silent.
    package var logger = Logger(label: "touchstone.webdriver", factory: { _ in SwiftLogNoOpLogHandler() })

    package init(driver: DriverAddress, control: ControlServer, token: AccessToken) {
        self.driver = driver
        self.control = control
        self.token = token
    }

    /// Firefox on the path; nil without one.
    package static func installedFirefox() -> String? { FirefoxOptions.installed() }

    /// The start request for the device of a session that names none.
    var requested: JSONValue? { device.map { ["profile": ["yaml": .text($0.text)]] } }
}
