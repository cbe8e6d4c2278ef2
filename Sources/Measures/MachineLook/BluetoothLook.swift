internal import Foundation
internal import MachineNeeds
internal import Radio

/// The system's message bus and BlueZ, which is not started.
struct BluetoothLook {
    /// The bus's address.
    private let address: String

    init(address: String = BlueZRadio.address(in: ProcessInfo.processInfo.environment)) { self.address = address }

    /// The longest wait for an answer.
    private static let configuration: BusConnection.Configuration = {
        var configuration = BusConnection.Configuration()
        configuration.answerLimit = .seconds(3)
        return configuration
    }()

    func bus() async -> Sighting {
        do {
            let connection = try await BusConnection.open(address, Self.configuration)
            await connection.close()
            return .usable(address)
        } catch {
            return .absent("\(address): \(error.problem)")
        }
    }

    func adapter() async -> Sighting {
        do {
            // A call of a service that does not run would start it.
            guard try await isRunning() else { return .absent("the bus has no running service \(BlueZ.service)") }
        } catch {
            return .absent("no message bus answers")
        }
        do {
            let radio = try await BlueZRadio.open(address, Self.configuration)
            await radio.close()
            return .usable(radio.adapterName)
        } catch {
            switch error {
            case .adapterOff(let name): return .resting("\(name) is off")
            case .noAdapter: return .absent("BlueZ has no adapter")
            case .noBus, .noBluetoothService, .noAdvertising, .refused, .serviceDataTooLong, .socket, .closed,
                .noBusDaemon:
                return .absent("\(error)")
            }
        }
    }

    private func isRunning() async throws(BusError) -> Bool {
        let connection = try await BusConnection.open(address, Self.configuration)
        do throws(BusError) {
            let answer = try await connection.call(BusName.bus.call("NameHasOwner", [.string(BlueZ.service)]))
            await connection.close()
            return answer == [.bool(true)]
        } catch {
            await connection.close()
            throw error
        }
    }
}
