internal import AppHost
internal import ReferenceApp

/// The services of the app in a scenario: inside together, the other steps go on before each request.
struct TurnTakingAppServices: AppServices {
    let services: any AppServices

    func send(_ request: AppRequest, from installation: String?) async -> AppAnswer {
        await Turns.lane?.pass()
        return await services.send(request, from: installation)
    }

    func openPage(_ path: String) async -> ProviderPage? {
        await Turns.lane?.pass()
        return await services.openPage(path)
    }

    func decide(_ page: ProviderPage, approves: Bool) async -> String? {
        await Turns.lane?.pass()
        return await services.decide(page, approves: approves)
    }

    func readFile(_ path: String) async -> [UInt8]? { await services.readFile(path) }

    func codes(sentTo address: String) async -> [String] { await services.codes(sentTo: address) }
}
