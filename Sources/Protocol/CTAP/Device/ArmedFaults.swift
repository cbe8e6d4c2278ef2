/// The faults armed at one layer of a device, each for a number of answers or until they are cleared.
package struct ArmedFaults<Fault: Hashable & Sendable>: Sendable {
    package struct Armed: Sendable {
        package let fault: Fault
        /// The number of answers still to change; nil until the faults are cleared.
        package fileprivate(set) var remaining: Int?
    }

    // Every command asks for the faults; inlined, the generic code needs no type information at run time.
    @usableFromInline package private(set) var all: [Armed] = []

    /// Arms faults until they are cleared.
    package init(_ faults: [Fault] = []) {
        for fault in faults { arm(fault) }
    }

    @inlinable package var isEmpty: Bool { all.isEmpty }

    /// The armed faults without their counts.
    @inlinable package var faults: [Fault] { all.map { $0.fault } }

    /// Arms a fault.
    ///
    /// A fault that is armed already changes each answer once, and `times` further answers.
    ///
    /// - Parameter times: the number of answers to change; nil until ``clear()``.
    package mutating func arm(_ fault: Fault, times: Int? = nil) {
        guard let place = all.firstIndex(where: { $0.fault == fault }) else {
            return all.append(Armed(fault: fault, remaining: times))
        }
        if let times, let remaining = all[place].remaining {
            all[place].remaining = remaining + times
        } else {
            all[place].remaining = nil
        }
    }

    package mutating func clear() { all = [] }

    /// Counts an answer against each fault that it concerns, returns those, and disarms the spent ones.
    @discardableResult
    package mutating func countDown(where concerns: (Fault) -> Bool) -> [Fault] {
        var counted: [Fault] = []
        for index in all.indices where concerns(all[index].fault) {
            counted.append(all[index].fault)
            all[index].remaining = all[index].remaining.map { $0 - 1 }
        }
        all.removeAll { $0.remaining.map { $0 <= 0 } ?? false }
        return counted
    }
}
