/// The discoverable credentials of one relying party, by ID.
struct RelyingPartyIndex: Sendable {
    /// A look-up among as few accounts takes no longer than one in a table.
    private static let few = 8

    /// All of them, oldest first; a slice loses its first one without moving the others.
    private(set) var all: ArraySlice<[UInt8]> = []
    /// The ones visible without user verification, oldest first; nil while all of them are.
    private var visible: ArraySlice<[UInt8]>?
    /// The credentials by the account's user handle; nil for a few.
    private var byUser: [[UInt8]: [UInt8]]?

    var open: ArraySlice<[UInt8]> { visible ?? all }

    func id(ofUser userID: [UInt8], where belongs: ([UInt8]) -> Bool) -> [UInt8]? {
        if let byUser { byUser[userID] } else { all.last(where: belongs) }
    }

    /// Adds the newest credential in place of its account's earlier one; with `isNewAccount` there is surely none.
    mutating func put(
        _ id: [UInt8], ofUser userID: [UInt8], isOpen: Bool, isNewAccount: Bool, user: ([UInt8]) -> [UInt8]?
    ) {
        if !isNewAccount, let former = self.id(ofUser: userID, where: { user($0) == userID }) {
            replace(former, with: id, ofUser: userID, isOpen: isOpen)
        } else {
            append(id, isOpen: isOpen)
            byUser?[userID] = id
        }
        if byUser == nil, all.count > Self.few {
            byUser = Dictionary(all.compactMap { id in user(id).map { ($0, id) } }) { _, newer in newer }
        }
    }

    mutating func replace(_ former: [UInt8], with id: [UInt8], ofUser userID: [UInt8], isOpen: Bool) {
        byUser?[userID] = id
        if isOpen, visible == nil, all.last == former {
            all[all.endIndex - 1] = id
            return
        }
        if all.last == former {
            all.removeLast()
        } else {
            all.removeAll { $0 == former }
        }
        visible?.removeAll { $0 == former }
        append(id, isOpen: isOpen)
    }

    private mutating func append(_ id: [UInt8], isOpen: Bool) {
        if !isOpen, visible == nil { visible = all }
        if isOpen { visible?.append(id) }
        all.append(id)
    }

    mutating func take(_ id: [UInt8], ofUser userID: [UInt8], isOlder: ([UInt8]) -> Bool) {
        Self.take(id, from: &all, isOlder: isOlder)
        if var left = visible {
            visible = nil
            Self.take(id, from: &left, isOlder: isOlder)
            visible = left
        }
        if byUser?[userID] == id { byUser?[userID] = nil }
    }

    private static func take(_ id: [UInt8], from ids: inout ArraySlice<[UInt8]>, isOlder: ([UInt8]) -> Bool) {
        if ids.first == id {
            ids.removeFirst()
            return
        }
        var (low, high) = (ids.startIndex, ids.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isOlder(ids[middle]) { low = middle + 1 } else { high = middle }
        }
        if low < ids.endIndex, ids[low] == id { ids.remove(at: low) }
    }
}
