import ArgumentParser
import Scenarios

extension Shard: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package var defaultValueDescription: String { "all" }
}
