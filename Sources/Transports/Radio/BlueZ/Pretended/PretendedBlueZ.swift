internal import Synchronization

/// A pretended BlueZ on a message bus, for programs that scan for hybrid transport.
///
/// It has the name `org.bluez` on a private bus, for example that of a ``BusDaemon``, whose address the programs get in
/// the variable of ``BlueZRadio/addressVariable``. They discover the adverts of ``broadcast(_:)`` as devices, and each other's registered
/// adverts. ``adverts()`` hears the registered adverts of clients.
///
/// A device is discovered at once, and disappears with its advert; a real adapter remembers it for half a minute.
package final class PretendedBlueZ: AdvertChannel {
    /// The state of the adapter.
    package enum AdapterCondition: CaseIterable, Sendable {
        case absent
        case off
        case on
    }

    package struct Configuration: Hashable, Sendable {
        package var adapter = AdapterCondition.on
        /// The name of the computer.
        package var name = "touchstone"
        /// The adapter's address; the default is one for documentation (RFC 7042, 2.1.2).
        package var address = BluetoothAddress.documentation

        package init() {}
    }

    private let connection: BusConnection
    private let service: PretendedBlueZService

    private init(connection: BusConnection, service: PretendedBlueZService) {
        self.connection = connection
        self.service = service
    }

    /// Takes the name `org.bluez` on the bus at an address, and serves it until ``stop()``.
    ///
    /// - Parameter generator: The source of devices' addresses.
    /// - Throws: ``RadioError/noBus(address:problem:)``; also when another service has the name.
    package static func start(
        on address: String, _ configuration: Configuration = Configuration(),
        generator: some RandomNumberGenerator & Sendable
    ) async throws(RadioError) -> PretendedBlueZ {
        let service = PretendedBlueZService(configuration, generator: generator)
        do throws(BusError) {
            let connection = try await BusConnection.open(address, handler: service)
            do throws(BusError) {
                // Sessions end with their client.
                try await connection.listen(PretendedBlueZService.clientsRule)
                service.attach(connection)
                guard try await connection.take(BlueZ.service) else {
                    throw .unreachable(address: address, problem: "another service has the name org.bluez")
                }
            } catch {
                await connection.close()
                throw error
            }
            return PretendedBlueZ(connection: connection, service: service)
        } catch {
            throw .noBus(address: address, problem: error.problem)
        }
    }

    /// Ends the service; programs see BlueZ disappear.
    package func stop() async { await connection.close() }

    /// The state of the adapter.
    package var adapter: AdapterCondition {
        switch service.read({ $0.adapter?.isPowered }) {
        case nil: .absent
        case false?: .off
        case true?: .on
        }
    }

    /// Plugs the adapter in, switches it on or off, or pulls it out.
    package func setAdapter(_ condition: AdapterCondition) { service.change { $0.setAdapter(condition) } }

    package func broadcast(_ advert: Advert) async throws(RadioError) -> AdvertBroadcast {
        guard !service.hasEnded else { throw .closed }
        let number = service.change { $0.transmit(advert) }
        return AdvertBroadcast { [service] in service.change { $0.endTransmission(number) } }
    }

    /// The adverts that clients of the bus register.
    package func adverts() async throws(RadioError) -> AsyncStream<Advert> {
        guard let adverts = service.adverts() else { throw .closed }
        return adverts
    }
}

extension BluetoothAddress {
    /// An address for documentation (RFC 7042, 2.1.2).
    package static let documentation = BluetoothAddress(documentation: 1)
}

extension BusError {
    /// The problem alone, for an error that already says the address.
    package var problem: String {
        switch self {
        case .unreachable(_, let problem): problem
        case .closed, .refused, .noAnswer, .malformed: description
        }
    }
}
