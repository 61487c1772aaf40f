-- Asks the paths of a file, one after the other; for wrk.
local requests = {}
local at = 0

function init(args)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("done %d %d %d %d", summary.requests, summary.duration, latency:percentile(99), wrong))
end
