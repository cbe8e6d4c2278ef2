internal import DeviceActs
internal import Wording

extension Phone {
    /// Performs an act of the list that scenarios, terminals and the control API use.
    ///
    /// - Throws: ``PhoneRefusal`` for an act that the phone refuses, and for one without an effect in its state.
    @discardableResult
    func perform(_ verb: String, _ arguments: [String: String?] = [:]) throws -> DeviceActResult {
        let act: DeviceAct
        do {
            act = try DeviceAct(verb: verb, arguments: arguments.compactMapValues(\.self))
        } catch {
            throw PhoneRefusal(error.description)
        }
        let result = executor.result { [device] in await device.perform(act) }
        desk.endStoppedApps(of: device)
        if let refusal = PhoneRefusal(of: act, result) { throw refusal }
        return result
    }
}

extension RawRepresentable<String> {
    /// The value as the arguments of acts write it.
    var word: String { rawValue.hyphenated }
}
