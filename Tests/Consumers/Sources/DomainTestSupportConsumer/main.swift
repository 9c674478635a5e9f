import Domain
import DomainTestSupport

let clock = ManualClock(Timestamp(secondsSince1970: 0))
clock.advance(bySeconds: 60)
precondition(clock.now == Timestamp(secondsSince1970: 60))
