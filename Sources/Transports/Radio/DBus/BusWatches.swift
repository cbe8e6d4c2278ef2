import CDBus
internal import Foundation

/// The file descriptors that libdbus wants to be watched; one thread uses it.
final class BusWatches {
    private var watches: [OpaquePointer] = []

    /// Lets a connection add its watches here, for as long as this object lives.
    func attach(to connection: OpaquePointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return dbus_connection_set_watch_functions(
            connection,
            { watch, context in
                guard let watch, let context else { return 0 }
                Unmanaged<BusWatches>.fromOpaque(context).takeUnretainedValue().watches.append(watch)
                return 1
            },
            { watch, context in
                guard let watch, let context else { return }
                Unmanaged<BusWatches>.fromOpaque(context).takeUnretainedValue().watches.removeAll { $0 == watch }
            },
            nil, context, nil) != 0
    }

    /// Lets a connection remove its watches.
    func detach(from connection: OpaquePointer) {
        _ = dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    }

    /// Waits for the watched descriptors and for another one, and lets libdbus read and write.
    ///
    /// - Parameters:
    ///   - wake: The other descriptor.
    ///   - milliseconds: The longest wait; -1 for none.
    func wait(with wake: CInt, milliseconds: CInt) {
        let enabled = watches.filter { dbus_watch_get_enabled($0) != 0 }
        var descriptors = enabled.map { watch in
            let flags = dbus_watch_get_flags(watch)
            var events: CInt = 0
            if flags & DBUS_WATCH_READABLE.rawValue != 0 { events |= CInt(POLLIN) }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events |= CInt(POLLOUT) }
            return pollfd(fd: dbus_watch_get_unix_fd(watch), events: Int16(truncatingIfNeeded: events), revents: 0)
        }
        descriptors.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        for (watch, descriptor) in zip(enabled, descriptors) where descriptor.revents != 0 {
            // Handling one watch can remove another.
            if watches.contains(watch) { dbus_watch_handle(watch, Self.flags(descriptor.revents)) }
        }
    }

    private static func flags(_ events: Int16) -> CUnsignedInt {
        let events = CInt(events)
        var flags: CUnsignedInt = 0
        if events & CInt(POLLIN) != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
        if events & CInt(POLLOUT) != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if events & CInt(POLLERR) != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
        if events & CInt(POLLHUP) != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
        return flags
    }
}
