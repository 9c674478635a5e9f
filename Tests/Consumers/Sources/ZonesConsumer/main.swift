import CivilTime
import Zones

let zones = ZoneDirectory()  // $TZDIR or /usr/share/zoneinfo
guard let berlin = ZoneID("Europe/Berlin"), let rules = zones.rules(of: berlin)
else { preconditionFailure("no rules of Europe/Berlin") }
let offset = rules.offsetSeconds(at: Timestamp(secondsSince1970: 1_729_418_699))
precondition(offset == 7_200)
