package reproduce

import "github.com/rehearse-go/rehearse/published"

// longer are the rows that take more than a few seconds, by subject and run.
var longer = map[string]bool{
	"quicksort none foundry": true, // 1.3 million executions
}

func takesLong(r *published.Row) bool { return longer[r.Subject+" "+r.Run()] }
