/// The conditions under which a simulated radio hears and is heard.
package struct RadioConditions: Hashable, Sendable {
    /// Whether the radio is in reach of the others.
    package var isInReach = true
    /// The time from a transmission to its arrival.
    package var latency = Duration.zero
    /// The share of transmissions that are lost, from 0 to 1.
    package var loss = 0.0
    /// The time between two transmissions of an advert.
    package var interval = Duration.milliseconds(100)

    package init() {}
}
