package import ControlAPI
internal import LoopbackHTTP
package import ModelContext
internal import ProfileFiles
internal import Providers
internal import RelyingPartyServer

/// The devices, the relying party, the browsers and the reports behind the tools of one server.
package final class Bench: Sendable {
    package struct Configuration: Sendable {
        /// The configuration of the control API, whose devices the tools use.
        package var control: ControlConfiguration
        /// The program's version, for reports.
        package let version: String

        package init(control: ControlConfiguration, version: String) {
            (self.control, self.version) = (control, version)
        }
    }

    let control: ControlServer
    let token: AccessToken
    let profiles: ProfileLibrary
    let version: String
    let party: BenchParty
    let browsers = OpenBrowsers()
    let reports = KeptReports()

    private init(_ control: ControlServer, _ configuration: Configuration, _ party: BenchParty) {
        (self.control, self.party, version) = (control, party, configuration.version)
        (token, profiles) = (configuration.control.token, configuration.control.profiles)
    }

    /// Starts the relying party and the control API; both listen when this returns.
    ///
    /// - Throws: the error of opening a port.
    package static func start(_ configuration: Configuration) async throws -> Bench {
        let party = try await BenchParty.start()
        var control = configuration.control
        (control.server, control.serverPort, control.services) = (party.conditions, party.port, party.services)
        do {
            return Bench(try await ControlServer.start(control), configuration, party)
        } catch {
            await party.stop()
            throw error
        }
    }

    /// The address of the control API.
    package var baseURL: String { control.baseURL }

    /// What the bench offers to clients of the Model Context Protocol.
    package var server: ContextServer {
        ContextServer(
            name: "touchstone", title: "Touchstone", version: version, instructions: instructions,
            tools: deviceTools + partyTools + browserTools + scenarioTools + lookupTools + conformanceTools,
            resources: resources, prompts: Self.prompts)
    }

    private var instructions: String {
        """
        Simulated phones and security keys for tests of passkeys and biometric sign-ins. create_device starts one; act does \
        something with it, tell_user plans what its user does at the next prompts, and device_state shows it. open_browser \
        opens Chromium with a device behind it, for a page such as the relying party's \(party.page). register_passkey and \
        sign_in use that relying party without a browser. run_scenario checks expectations, and look_up_error finds the cause of an \
        error. The resource touchstone://docs/scenarios describes scenarios.
        """
    }

    /// Ends the browsers, the devices and the relying party.
    package func stop() async {
        await browsers.closeAll()
        await control.stop()
        await party.stop()
    }
}
